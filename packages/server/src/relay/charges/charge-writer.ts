import type { Account } from '@headgate/relay';
import type { Charge } from './charge.ts';

export interface Settlement {
  readonly charge: Charge;
  /** Cached accounts changed by the settlement. */
  readonly accounts: readonly Account[];
}

/** Stores the charges of finished requests. */
export interface ChargeWriter {
  /** Number of charges that are not durable yet. */
  readonly unstored: number;
  /** Age of the oldest charge that is not durable, in milliseconds; 0 if there is none. */
  readonly oldestUnstoredMs: number;
  /** Resolves when the charge is durable. */
  write(settlement: Settlement): Promise<void>;
  /** Runs a read while nothing is being written. Its in-memory changes apply before the next write. */
  readBetween<T>(read: () => Promise<T>): Promise<T>;
  /** Waits until the tables contain all charges so far; returns immediately if they do. */
  catchUp(): Promise<void>;
  /** Waits until everything is stored. */
  drain(): Promise<void>;
}
