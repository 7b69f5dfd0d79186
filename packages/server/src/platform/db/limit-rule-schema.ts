import type { LimitCountScope, LimitMeasure } from '@headgate/contract';
import type { Generated } from 'kysely';

/** Limit rules. 0 and the empty string match anything. */
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

/** Usage of a daily limit when it was last saved. */
export interface LimitUseTable {
  key: string;
  /** JSON: amounts by age, in sixtieths of the window. */
  told: string;
  saved_time: number;
}
