import type { Account } from '@headgate/relay';
import type { Charge } from './charge.ts';

export interface Settlement {
  readonly charge: Charge;
  /** Whose balances in memory it has changed. */
  readonly accounts: readonly Account[];
}

/** Brings what finished requests cost into the database. */
export interface ChargeWriter {
  /** How many charges are not durable yet. */
  readonly unstored: number;
  /** How long the oldest charge that is not durable has waited; 0 when all are. */
  readonly oldestUnstoredMs: number;
  /** Resolves when the charge is durable. */
  write(settlement: Settlement): Promise<void>;
  /** Reads while nothing is being written; what the reader changes in memory is changed before the next write. */
  readBetween<T>(read: () => Promise<T>): Promise<T>;
  /** Waits until the tables say what was charged so far; at once when they do. */
  catchUp(): Promise<void>;
  /** Waits until everything that was to be stored is. */
  drain(): Promise<void>;
}
