import type { Attempt, Caller, ChannelFailure, HedgedAttempt, Ports } from '../ports/ports.ts';
import type { RelayChannel } from '../ports/relay-channel.ts';
import type { PreparedRequest } from '../prepare/prepare-request.ts';
import { costOf } from '../quota/cost.ts';
import { isKeyErrorStatus } from '../routing/choose-key.ts';
import type { AttemptedChannel } from './channel-requests.ts';
import type { FailedAttempt } from './failed-attempt.ts';
import type { ModelConditions } from './model-conditions.ts';
import type { UpstreamServices } from './upstream-services.ts';

export type FailedChannelAttempt = FailedAttempt & { readonly prepared: PreparedRequest | undefined };

/** Statuses caused by the caller or the requested resource. */
const clientErrorStatuses: ReadonlySet<number> = new Set([401, 403, 404]);

interface ReportedRequest {
  /** The requested model. */
  readonly model: string;
  readonly startedAt: number;
}

/** Reports the results of attempts to routing, channel health and the log. */
export class AttemptReports<By extends Caller> {
  readonly #ports: Ports<By>;
  readonly #services: UpstreamServices;
  readonly #requested: ReportedRequest;
  /** Failed attempts. */
  readonly attempts: Attempt[] = [];
  /** Failed attempts that were most likely caused by their channel. */
  readonly #blamed: { readonly channel: RelayChannel; readonly failure: ChannelFailure }[] = [];
  /** Canceled hedged attempts. */
  readonly hedges: HedgedAttempt[] = [];

  constructor(ports: Ports<By>, services: UpstreamServices, reportedRequest: ReportedRequest) {
    this.#ports = ports;
    this.#services = services;
    this.#requested = reportedRequest;
  }

  /** `firstByteAt`: when the client received the first bytes of a stream. */
  succeeded(
    { channel, startedAt, respondedAt, cooldownMs }: AttemptedChannel,
    terms: ModelConditions<By>,
    firstByteAt: number | undefined,
  ): void {
    const { cooldowns, keyCooldowns, loads } = this.#services;
    const { id, keyId } = channel;
    cooldowns.succeeded(id);
    if (keyId !== undefined) keyCooldowns.succeeded(keyId);
    const { model, isStream } = terms.request;
    const ms = (isStream ? (firstByteAt ?? respondedAt) : respondedAt) - startedAt;
    loads.responded(id, model, isStream ? 'stream' : 'whole', ms);
    for (const { channel: other, failure } of this.#blamed)
      if (other.id !== id && failure.model === model) this.#ports.channelFailureConfirmed(other, failure);
    if (cooldownMs === 0) return;
    const [subjects, subject] = keyId === undefined ? [cooldowns, id] : [keyCooldowns, keyId];
    subjects.usedUp(subject, this.#ports.clock(), cooldownMs);
  }

  failed(failed: FailedChannelAttempt, { channel, startedAt }: AttemptedChannel, terms: ModelConditions<By>): void {
    const { status, error } = failed;
    if (error.code === 'client_left' || error.code === 'server_shutting_down') return;
    const now = this.#ports.clock();
    const ms = Math.round(now - startedAt);
    const { id, keyId } = channel;
    const { model, isStream } = terms.request;
    const other = model !== this.#requested.model && { model };
    const start = Math.round(startedAt - this.#requested.startedAt);
    const key = keyId && { key: keyId };
    this.attempts.push({ channel: id, ...key, ...other, status, reason: error.message, start, ms });
    if (!failed.isChannelFault) return;
    this.#services.loads.failed(id, model, isStream ? 'stream' : 'whole', ms);
    const failure = this.failureOf(failed, terms);
    const isOfKey = keyId !== undefined && isKeyErrorStatus(status);
    const [subjects, subject] = isOfKey ? [this.#services.keyCooldowns, keyId] : [this.#services.cooldowns, id];
    if (!failure.mayBeClientFault) subjects.failed(subject, now, (error.retryAfter ?? 0) * 1000);
    if (isOfKey) {
      this.#ports.keyFailed(channel, failure);
      return;
    }
    if (!failure.mayBeClientFault) this.#blamed.push({ channel, failure });
    this.#ports.channelFailed(channel, failure);
  }

  failureOf({ status, error, prepared }: FailedChannelAttempt, { request }: ModelConditions<By>): ChannelFailure {
    const hasClientHeaders = prepared !== undefined && Object.keys(prepared.view.clientHeaders).length > 0;
    // The client's header caused the rejection; other users may send the same request.
    const mayBeClientFault = hasClientHeaders && clientErrorStatuses.has(status);
    return { status, error, model: request.model, hasClientHeaders, mayBeClientFault };
  }

  /** Records a canceled hedged attempt. Its upstream has read the prompt and will charge for it. */
  canceled(
    { channel, startedAt }: Pick<AttemptedChannel, 'channel' | 'startedAt'>,
    { request, estimate }: ModelConditions<By>,
  ): void {
    const { id, keyId, modelMapping } = channel;
    const models = [modelMapping.get(request.model), request.model];
    const { QuotaPerUnit: pointsPerDollar } = this.#ports.ratios();
    const cost = costOf({ ...estimate.used, completion: 0 }, channel, { models, pointsPerDollar });
    const ms = Math.round(this.#ports.clock() - startedAt);
    this.hedges.push({ channel: id, ...(keyId && { key: keyId }), ms, cost });
  }
}
