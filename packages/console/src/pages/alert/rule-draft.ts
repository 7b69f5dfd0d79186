import type { AlertRule } from '@headgate/contract';

/** A rule that is being edited. */
export type Draft = Omit<AlertRule, 'id' | 'created_time'>;

export interface DraftProps {
  readonly draft: Draft;
  readonly change: (part: Partial<Draft>) => void;
}
