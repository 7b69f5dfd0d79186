import type { Incident, IncidentSeverity } from '@headgate/contract';
import { formatTime, parseTime } from '../../lib/format/format.ts';
import type { IncidentBody } from './incident-queries.ts';

/** An incident as entered in the form. Times are local, as `YYYY-MM-DD HH:mm:ss`. */
export interface IncidentDraft {
  readonly title: string;
  readonly text: string;
  readonly severity: IncidentSeverity;
  readonly models: readonly string[];
  readonly start: string;
  /** Empty: the incident is open. */
  readonly end: string;
}

export type Prefill = Pick<IncidentDraft, 'title' | 'models'>;

export const newDraft = ({ title, models }: Prefill, now: number): IncidentDraft => ({
  title,
  text: '',
  severity: 'minor',
  models,
  start: formatTime(now),
  end: '',
});

export const draftOf = ({ title, text, severity, models, start_time, end_time }: Incident): IncidentDraft => ({
  title,
  text,
  severity,
  models,
  start: formatTime(start_time),
  end: end_time === 0 ? '' : formatTime(end_time),
});

/** Invalid fields that prevent saving. */
export function invalidFields({ title, text, start, end }: IncidentDraft): ReadonlySet<keyof IncidentDraft> {
  const from = parseTime(start);
  const to = end === '' ? undefined : parseTime(end);
  const isEndWrong = end !== '' && (to === undefined || (from !== undefined && to < from));
  return new Set<keyof IncidentDraft>([
    ...(title.trim() === '' ? (['title'] as const) : []),
    ...(text.trim() === '' ? (['text'] as const) : []),
    ...(from === undefined ? (['start'] as const) : []),
    ...(isEndWrong ? (['end'] as const) : []),
  ]);
}

export const bodyOf = ({ start, end, models, ...draft }: IncidentDraft): IncidentBody => ({
  ...draft,
  models: [...models],
  start_time: parseTime(start) ?? 0,
  end_time: end === '' ? 0 : (parseTime(end) ?? 0),
});
