import type { Generated } from 'kysely';

/** Groups of charges that are stored, each written by the transaction that stored it. */
export interface ChargeGroupTable {
  /** The process that stored it. */
  writer: number;
  number: number;
  stored_time: Generated<number>;
}

export interface ChargeJournalTable {
  id: number;
  /** The version of the format of its charges. */
  version: number;
  /** A JSON array of charges. */
  charges: string;
}

/** Entries of the journal that could not be read: kept for somebody to look at, and not charged. */
export interface SetAsideChargeTable {
  id: Generated<number>;
  entry: number;
  version: number;
  charges: string;
  reason: string;
  created_time: number;
}
