import type { RequestRecord } from '../../records/logs/log-service.ts';
import type { KeptResponse } from '../upstream-responses/kept-response-repository.ts';

/** What a finished request costs whom, and what is written down of it. */
export interface Charge {
  readonly quota: number;
  readonly user: number;
  readonly token: number;
  readonly isTokenLimited: boolean;
  /** 0 when no channel delivered anything. */
  readonly channel: number;
  /** The periods of budgets that it is charged to, each in full: those in which the request began. */
  readonly budgets?: readonly number[] | undefined;
  /** Undefined: nothing is written down. */
  readonly record: RequestRecord | undefined;
  /** The response, where the channel's upstream keeps it. */
  readonly kept?: KeptResponse | undefined;
}

/** Charges that reach the tables together, or not at all. */
export interface ChargeGroup {
  /** The id of its journal entry, when it is in the journal. */
  readonly entry?: number;
  readonly charges: readonly Charge[];
}
