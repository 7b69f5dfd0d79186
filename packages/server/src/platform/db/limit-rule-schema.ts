import type { LimitCountScope, LimitMeasure } from '@headgate/contract';
import type { Generated } from 'kysely';

/** An id of 0 and an empty text stand for any. */
export interface LimitRuleTable {
  id: Generated<number>;
  token_id: number;
  user_id: number;
  group: string;
  model: string;
  channel_id: number;
  measure: LimitMeasure;
  amount: number;
  counts_per: LimitCountScope;
  note: string;
  enabled: number;
  created_time: number;
}

/** What counted against a limit of a whole day when it was last saved. */
export interface LimitUseTable {
  key: string;
  /** JSON: how old, in sixtieths of the window, and how much. */
  told: string;
  saved_time: number;
}
