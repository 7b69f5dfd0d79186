import type { LogEndCause } from '@headgate/contract';
import {
  insufficientQuotaError,
  type Outcome,
  type RelayChannel,
  type RelayError,
  type Reservation,
} from '@headgate/relay';
import type { TokenCaller } from '../callers/token-caller.ts';
import type { Admission } from './admission.ts';
import type { Settlement } from './settlement.ts';

interface ProxyCall {
  readonly reservation: Reservation;
  readonly requestId: string;
  /** Upstream status; 0 if it did not respond. */
  readonly status: number;
  readonly method: string;
  readonly elapsedMs: number;
  /** Reason why the request did not finish; undefined if it did. */
  readonly failure: RelayError | undefined;
}

const firstErrorStatus = 400;

/**
 * Requests to `/v1/proxy` are free and logged. They still require quota: one point is reserved while a request runs.
 */
export class ProxyAccounting {
  readonly #admission: Admission;
  readonly #settlement: Settlement;

  constructor(admission: Admission, settlement: Settlement) {
    this.#admission = admission;
    this.#settlement = settlement;
  }

  async reserve(caller: TokenCaller): Promise<Reservation> {
    let reservation = caller.reserve(1, 1, caller.groups[0]);
    if (typeof reservation === 'string' && caller.findMore) {
      await caller.findMore(1);
      reservation = caller.reserve(1, 1, caller.groups[0]);
    }
    const reserved = reservation;
    if (typeof reserved !== 'string') return reserved;
    return this.#admission.logRejection(caller.entry, () => {
      throw caller.explain(reserved) ?? insufficientQuotaError(reserved);
    });
  }

  /** Logs a request, however it ended. */
  async settle(caller: TokenCaller, channel: RelayChannel, call: ProxyCall): Promise<void> {
    const { reservation, status, failure } = call;
    const outcome = outcomeOf(caller, channel, call);
    // The client may have caused a forwarded error, so it does not count against the channel.
    if (failure || status < firstErrorStatus) this.#settlement.noteHealth(outcome);
    await this.#settlement.settle(reservation, outcome);
  }
}

function outcomeOf(caller: TokenCaller, channel: RelayChannel, call: ProxyCall): Outcome<TokenCaller> {
  const { requestId, elapsedMs, method, status, failure } = call;
  return {
    caller,
    requestId,
    elapsedMs,
    firstByteMs: 0,
    group: caller.groups[0] ?? '',
    channel: channel.id,
    model: '',
    quota: 0,
    promptTokens: 0,
    completionTokens: 0,
    parts: undefined,
    cost: 0,
    isStream: false,
    endedBy: failure && enderOf(failure),
    failure: failure && { status, error: failure, channel: channel.id },
    systemPromptReset: false,
    kept: undefined,
    attempts: [],
    content: failure ? `${method}: ${failure.message}` : `${method} ${status}`,
    detail: JSON.stringify({ proxy: true, method, status }),
  };
}

/** The party that ended a proxied request early. */
const enderOf = ({ code, status }: RelayError): LogEndCause => {
  if (code === 'client_left') return 'client';
  return code === 'server_shutting_down' || status === 500 ? 'server' : 'upstream';
};
