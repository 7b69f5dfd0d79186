import type { Attempt, Caller, ChannelFailure, HedgedTry, Ports } from '../ports/ports.ts';
import type { RelayChannel } from '../ports/relay-channel.ts';
import type { Prepared } from '../prepare/prepare-request.ts';
import { costOf } from '../quota/cost.ts';
import { isKeyStatus } from '../routing/choose-key.ts';
import type { AskedChannel } from './channel-asking.ts';
import type { FailedTry } from './failed-try.ts';
import type { ModelTerms } from './model-terms.ts';
import type { UpstreamServices } from './upstream-services.ts';

export type FailedWay = FailedTry & { readonly prepared: Prepared | undefined };

/** What an upstream says of who asks, or of what is asked for. */
const refusals: ReadonlySet<number> = new Set([401, 403, 404]);

interface AskedRequest {
  /** What the client asked for. */
  readonly model: string;
  readonly startedAt: number;
}

/** Tells what became of tries to whoever has to know: what chooses channels, what cares for them, the log. */
export class TryReports<By extends Caller> {
  readonly #ports: Ports<By>;
  readonly #services: UpstreamServices;
  readonly #asked: AskedRequest;
  /** Those that failed. */
  readonly attempts: Attempt[] = [];
  /** Those that failed by the fault of their channels, as far as anybody can tell. */
  readonly #blamed: { readonly channel: RelayChannel; readonly failure: ChannelFailure }[] = [];
  /** Those that were given up. */
  readonly hedges: HedgedTry[] = [];

  constructor(ports: Ports<By>, services: UpstreamServices, asked: AskedRequest) {
    this.#ports = ports;
    this.#services = services;
    this.#asked = asked;
  }

  /** `begunAt`: when the client had the first of it, where it is a stream. */
  answered(
    { channel, began, answeredAt, restMs }: AskedChannel,
    terms: ModelTerms<By>,
    begunAt: number | undefined,
  ): void {
    const { cooldowns, keyRests, loads } = this.#services;
    const { id, keyId } = channel;
    cooldowns.succeeded(id);
    if (keyId !== undefined) keyRests.succeeded(keyId);
    const { model, isStream } = terms.request;
    const ms = (isStream ? (begunAt ?? answeredAt) : answeredAt) - began;
    loads.answered(id, model, isStream ? 'stream' : 'whole', ms);
    for (const { channel: other, failure } of this.#blamed)
      if (other.id !== id && failure.model === model) this.#ports.failedAlone(other, failure);
    if (restMs === 0) return;
    const [rests, resting] = keyId === undefined ? [cooldowns, id] : [keyRests, keyId];
    rests.usedUp(resting, this.#ports.clock(), restMs);
  }

  failed(failed: FailedWay, { channel, began }: AskedChannel, terms: ModelTerms<By>): void {
    const { status, error } = failed;
    if (error.code === 'client_left' || error.code === 'server_shutting_down') return;
    const now = this.#ports.clock();
    const ms = Math.round(now - began);
    const { id, keyId } = channel;
    const { model, isStream } = terms.request;
    const other = model !== this.#asked.model && { model };
    const start = Math.round(began - this.#asked.startedAt);
    const key = keyId && { key: keyId };
    this.attempts.push({ channel: id, ...key, ...other, status, reason: error.message, start, ms });
    if (!failed.isChannelFault) return;
    this.#services.loads.failed(id, model, isStream ? 'stream' : 'whole', ms);
    const failure = this.failureOf(failed, terms);
    const isOfKey = keyId !== undefined && isKeyStatus(status);
    const [rests, resting] = isOfKey ? [this.#services.keyRests, keyId] : [this.#services.cooldowns, id];
    if (!failure.mayBeTheClients) rests.failed(resting, now, (error.retryAfter ?? 0) * 1000);
    if (isOfKey) {
      this.#ports.keyFailed(channel, failure);
      return;
    }
    if (!failure.mayBeTheClients) this.#blamed.push({ channel, failure });
    this.#ports.channelFailed(channel, failure);
  }

  failureOf({ status, error, prepared }: FailedWay, { request }: ModelTerms<By>): ChannelFailure {
    const hasClientHeaders = prepared !== undefined && Object.keys(prepared.view.clientHeaders).length > 0;
    // What is forbidden with a header of the client's may be allowed to everybody else.
    const mayBeTheClients = hasClientHeaders && refusals.has(status);
    return { status, error, model: request.model, hasClientHeaders, mayBeTheClients };
  }

  /** It was given up for one that was quicker; its upstream has read the prompt, and will want to be paid for that. */
  lost({ channel, began }: Pick<AskedChannel, 'channel' | 'began'>, { request, estimate }: ModelTerms<By>): void {
    const { id, keyId, modelMapping } = channel;
    const models = [modelMapping.get(request.model), request.model];
    const { QuotaPerUnit: pointsPerDollar } = this.#ports.ratios();
    const cost = costOf({ ...estimate.used, completion: 0 }, channel, { models, pointsPerDollar });
    const ms = Math.round(this.#ports.clock() - began);
    this.hedges.push({ channel: id, ...(keyId && { key: keyId }), ms, cost });
  }
}
