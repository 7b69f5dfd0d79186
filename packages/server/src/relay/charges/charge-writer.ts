import type { Account } from '@headgate/relay';
import type { RequestRecord } from '../../records/logs/log-service.ts';
import type { UpstreamStoredResponse } from '../upstream-responses/upstream-response-repository.ts';

/** Cost of a finished request, its payers, and its log row. */
export interface Charge {
  readonly quota: number;
  readonly user: number;
  readonly token: number;
  readonly isTokenLimited: boolean;
  /** 0 if no channel delivered anything. */
  readonly channel: number;
  /** Budget periods to charge, each with the full amount: the periods that were current when the request started. */
  readonly budgets?: readonly number[] | undefined;
  /** True if a plan is charged, so the user's balance does not change. */
  readonly isPaidByPlan?: boolean | undefined;
  /** Undefined if nothing is logged. */
  readonly record: RequestRecord | undefined;
  /** The response, if the channel's upstream stores it. */
  readonly kept?: UpstreamStoredResponse | undefined;
}

/** Charges that are written to the tables atomically. */
export interface ChargeBatch {
  /** Id of the batch's journal entry, if any. */
  readonly entry?: number;
  readonly charges: readonly Charge[];
}

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

/** SQLite's primary error code for constraints; the higher bits hold details. */
const sqliteConstraint = 19;

/**
 * True if the database permanently rejects the values: an error of PostgreSQL's data or constraint classes, or a
 * SQLite constraint error.
 */
export function isPermanentlyRejected(error: unknown): boolean {
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
  return /^2[23]/.test(String(code)) || (typeof errcode === 'number' && (errcode & 0xff) === sqliteConstraint);
}

/**
 * Drops the strings and the upstream cost of a record. Keeps the points, because total consumption is the sum of the
 * records.
 */
export function withoutTexts(charge: Charge): Charge {
  const { record } = charge;
  if (!record) return charge;
  const cost = Number.isSafeInteger(record.cost) ? record.cost : 0;
  return { ...charge, record: { ...record, content: '', model_name: '', detail: '', cost } };
}
