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
  /** Undefined if nothing is logged. */
  readonly record: RequestRecord | undefined;
  /** The response, if the channel's upstream stores it. */
  readonly kept?: UpstreamStoredResponse | undefined;
}

/** Charges that are written to the tables atomically. */
export interface ChargeGroup {
  /** Id of the group's journal entry, if any. */
  readonly entry?: number;
  readonly charges: readonly Charge[];
}
