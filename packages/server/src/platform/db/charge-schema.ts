import type { Generated } from 'kysely';

/** Charge groups that are stored. Each row is written by the transaction that stores its group. */
export interface ChargeGroupTable {
  /** Id of the process that stored the group. */
  writer: number;
  number: number;
  stored_time: Generated<number>;
}

export interface ChargeJournalTable {
  id: number;
  /** Format version of the charges. */
  version: number;
  /** JSON array of charges. */
  charges: string;
}

/** Journal entries that could not be read. They are kept for manual inspection and not charged. */
export interface SetAsideChargeTable {
  id: Generated<number>;
  entry: number;
  version: number;
  charges: string;
  reason: string;
  created_time: number;
}
