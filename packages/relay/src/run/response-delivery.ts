import type { Usage } from '@headgate/dialects';
import type { StoredIds } from '@headgate/providers';
import type { StreamReader } from '../framing/converted-stream.ts';
import type { UsageEstimate } from '../metering/estimated-usage.ts';
import { imageUsage, streamedImageUsage } from '../metering/images.ts';
import { type ReportedUsage, readUsage } from '../metering/read-usage.ts';
import { StreamMeter } from '../metering/stream-meter.ts';
import type { UsageCounter } from '../metering/usage-counter.ts';
import type { Ports } from '../ports/ports.ts';
import { type EarlyTermination, earlyTermination } from '../ports/relay-error.ts';
import type { PreparedRequest } from '../prepare/prepare-request.ts';
import type { Price } from '../quota/price.ts';
import type { ReportedServiceTier } from '../quota/price-conditions.ts';
import { noTokens, type TokenCount } from '../quota/quota-of.ts';
import type { Reservation } from '../quota/reservation.ts';
import { responseScanOf } from '../request/endpoint-kinds.ts';
import { octetStream } from '../response/content-type.ts';
import { canReadWholeResponse, createStreamReader } from '../response/create-stream-reader.ts';
import { deliverBytes, finishBytesDelivery, isImageStream } from '../response/deliver-bytes.ts';
import { deliverLongResponse, type LongResponse, usageByLength } from '../response/deliver-long-response.ts';
import { deliverStream, deliveryHeaders } from '../response/deliver-stream.ts';
import { readWholeResponse } from '../response/whole-response.ts';
import type { WholeResponse } from '../response/written-response.ts';
import type { ResponseLength } from '../tokens/response-length.ts';
import type { ResponseTexts } from '../tokens/response-texts.ts';
import { encodingOf } from '../upstream/decoded-response.ts';
import { isChannelFault, isRetryable } from '../upstream/upstream-error.ts';
import type { UpstreamResponse } from '../upstream/upstream-exchange.ts';
import {
  emptyAttempt,
  type FailedAttempt,
  unreadableAttempt,
  unstartedAttempt,
  unsupportedEncodingAttempt,
} from './failed-attempt.ts';
import type { RelayCall } from './relay-call.ts';
import { markResponseUnstored } from './stored-context.ts';
import type { UpstreamServices } from './upstream-services.ts';

/** An upstream's response with everything needed to deliver and charge it. */
interface DeliveryJob {
  readonly call: RelayCall;
  readonly services: UpstreamServices;
  readonly prepared: PreparedRequest;
  readonly response: UpstreamResponse;
  readonly reservation: Reservation;
  readonly estimate: UsageEstimate;
  readonly counter: UsageCounter;
  /** Output limit of all choices set by the request; undefined without one. */
  readonly limit: number | undefined;
  readonly ports: Pick<Ports, 'retriesEmptyResponses' | 'countFreeResponse'>;
  /** Price on the channel that responded. */
  price(): Price;
  /** Charges and logs the request; the end of the response is sent afterwards. */
  settle(used: TokenCount, end: EarlyTermination | undefined): Promise<void>;
  /**
   * Stores a finished response if the gateway stores responses; false if it could not be stored although the client
   * expects it.
   */
  store(respond: () => Buffer | undefined): Promise<boolean> | boolean;
}

/** Counted usage, for a response whose upstream reports none. */
const usageOf = ({ prompt, completion }: TokenCount): Usage => ({ promptTokens: prompt, completionTokens: completion });

/** No text, call, refusal, image, audio or reasoning, visible or reported. */
function isEmptyReply(textsOf: () => ResponseTexts, { parts }: ReportedUsage): boolean {
  if (parts?.reasoning) return false;
  try {
    const { texts, tokens, signed = 0 } = textsOf();
    return tokens + signed === 0 && texts.every(({ text }) => text === '');
  } catch (error) {
    // Content that is nested too deeply is treated as content.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Delivers and settles one response of any kind: whole, too long to buffer, binary or streamed. */
export class ResponseDelivery {
  readonly #job: DeliveryJob;
  /** Length of a streamed response. */
  length: ResponseLength | undefined;
  /** Ids under which the upstream stores the response; undefined if it reports none. */
  keptAs: StoredIds | undefined;
  /** Service tier that the upstream reports. */
  serviceTier: ReportedServiceTier;

  constructor(job: DeliveryJob) {
    this.#job = job;
  }

  get prepared(): PreparedRequest {
    return this.#job.prepared;
  }

  /** Undefined if the client has its response, complete or aborted; otherwise the failure. */
  run(): Promise<FailedAttempt | undefined> {
    const { call, prepared, response, counter } = this.#job;
    const { request, requestId } = call;
    if (request.kind.responseType === 'bytes' || isImageStream(request, response)) return this.#bytes();
    const encoding = encodingOf(response);
    if (encoding !== undefined) return unsupportedEncodingAttempt(response, encoding, prepared.channel);
    const length = request.isStream ? counter.lengthFor(prepared.channel.id) : undefined;
    this.length = length;
    const reader =
      length && createStreamReader(prepared.wire, { request, requestId, length, channel: prepared.channel });
    return reader ? this.#stream(reader) : this.#whole();
  }

  /** Delivers a non-streamed response; `begun` is the part received so far. */
  async #whole(begun?: Buffer): Promise<FailedAttempt | undefined> {
    const { call, services, prepared, response, estimate, counter, settle, store } = this.#job;
    const { client, request, requestId } = call;
    const { upstreams, gathering } = services;
    const share = gathering.share();
    // Not `using`, which is three times slower.
    try {
      const reading = { request, prepared, requestId, upstreams, signal: client.disconnect, share, begun };
      let reply: WholeResponse | LongResponse;
      try {
        reply = await readWholeResponse(reading, response);
      } catch (error) {
        return unreadableAttempt(error, prepared.channel, response.status, estimate.used);
      }
      // Awaited here, because the start of the response stays buffered until delivery has ended.
      if ('begun' in reply) return await this.#long(reply);
      const { contentType, reported, use, drawn, responseTexts, keptAs } = reply;
      if (this.#mayBeEmpty && !reply.hasFreeOutput && isEmptyReply(responseTexts, reported) && this.#countFree())
        return emptyAttempt(response.status);
      this.keptAs = keptAs;
      this.serviceTier = reported.serviceTier;
      const { billedBy } = request.kind;
      const counts = billedBy === 'images' ? imageUsage(drawn, request.model, estimate) : use;
      const reportedUse = billedBy === 'tokens' ? counter.ofReported(reported) : counts;
      const counted = reportedUse ?? (await counter.ofWhole(estimate.used, reported, responseTexts()));
      const { body, response: result } = reply.withUsage?.(usageOf(counted)) ?? reply;
      const storing = store(() => result);
      await settle(counted, undefined);
      const isStored = await storing;
      const sent = isStored ? body : markResponseUnstored(request, body);
      client.start(200, { 'content-type': contentType, 'content-length': String(sent.length) });
      client.end(sent);
      return undefined;
    } finally {
      share[Symbol.dispose]();
    }
  }

  /**
   * True if a response without content is retried. A compaction summary is not content, but it is a valid response to
   * its request.
   */
  get #mayBeEmpty(): boolean {
    const { kind } = this.#job.call.request;
    return this.#job.ports.retriesEmptyResponses() && kind.hasTextOutput && !kind.isNeverTranslated;
  }

  /** Counts an empty response; false if it has to be charged. */
  #countFree(): boolean {
    return this.#job.ports.countFreeResponse(this.#job.call.caller);
  }

  /** Delivers a response that is too long to buffer. */
  async #long(reply: LongResponse): Promise<undefined> {
    const { call, prepared, response, estimate, counter, settle } = this.#job;
    const { client, request } = call;
    const job = { ...reply, response, client, channel: prepared.channel, scan: responseScanOf(request.kind) };
    const { tail, usage, bytes, failure, stoppedBy } = await deliverLongResponse(job);
    const claimed = readUsage(usage, request);
    this.serviceTier = claimed.serviceTier;
    const reported = request.kind.billedBy === 'tokens' ? counter.ofReported(claimed) : undefined;
    const used = reported ?? usageByLength(await counter.ofPrompt(estimate.used), request, bytes);
    await settle(used, earlyTermination(failure, stoppedBy, response.status));
    if (failure) client.abort();
    else client.end(Buffer.concat(tail));
    return undefined;
  }

  async #bytes(): Promise<FailedAttempt | undefined> {
    const { call, prepared, response, estimate, settle } = this.#job;
    const { client, request, requestId } = call;
    const { used } = estimate;
    const job = {
      response,
      client,
      channel: prepared.channel,
      draws: request.kind.billedBy === 'images',
      scan: responseScanOf(request.kind),
    };
    const { isStarted, failure, problemStatus, stoppedBy, isFree, imageUsage } = await deliverBytes(job);
    // A client may disconnect right after reading the error; the error is still the cause.
    const endedBy = problemStatus === undefined ? stoppedBy : 'upstream';
    if (failure && !isStarted) {
      const effectiveStatus = problemStatus ?? failure.status;
      const mayRetry = stoppedBy === 'upstream' && isRetryable(effectiveStatus);
      const isFault = mayRetry && isChannelFault(effectiveStatus, failure);
      const paid = stoppedBy === 'client' && { used };
      const status = problemStatus ?? response.status;
      return { status, error: failure, isRetryable: mayRetry, isChannelFault: isFault, endedBy, ...paid };
    }
    const paid = isFree ? noTokens : streamedImageUsage(imageUsage, request, estimate);
    await settle(paid, earlyTermination(failure, endedBy, problemStatus ?? response.status));
    if (!isStarted) client.start(200, { 'content-type': octetStream });
    finishBytesDelivery(job, { stoppedBy, failure }, requestId);
    return undefined;
  }

  async #stream(reader: StreamReader): Promise<FailedAttempt | undefined> {
    const { call, services, prepared, response, reservation, estimate, counter, limit, settle, store } = this.#job;
    const { caller, client, request, requestId } = call;
    const { channel } = prepared;
    const { length } = reader;
    const { prompt } = estimate.used;
    const meter = new StreamMeter({ reservation, price: this.#job.price(), caller, length, counter, prompt, limit });
    const delivery = await deliverStream({
      response,
      reader,
      channel,
      client,
      requestId,
      meter,
      dialect: request.kind.dialect,
      holdsUntilContent: this.#mayBeEmpty,
      mayBeWhole: canReadWholeResponse(prepared.wire),
    });
    if ('begun' in delivery) {
      length.drop();
      return await this.#whole(delivery.begun);
    }
    const { isStarted, failure, stoppedBy, reportCovers, isUnpaid } = delivery;
    const reported = readUsage(reader.usage, request);
    this.keptAs = reader.storedIds;
    this.serviceTier = reported.serviceTier;
    if (!failure) services.usageReporters.ended(channel.id, reported.completion !== undefined);
    if (failure && !isStarted) {
      length.drop();
      return unstartedAttempt({ ...delivery, failure }, reader, response.status, estimate.used);
    }
    const isEmpty = this.#mayBeEmpty && !isStarted && !failure && length.read === 0 && !reported.parts?.reasoning;
    if (isEmpty && this.#countFree()) {
      length.drop();
      return emptyAttempt(response.status);
    }
    const counted = await counter.ofStream({ reported, length, reportCovers });
    // Content that exceeded the quota was not delivered.
    const used = isUnpaid ? meter.affordable(counted) : counted;
    const tail = delivery.tail(usageOf(used));
    const storing = failure ? true : store(() => reader.response?.());
    await settle(used, earlyTermination(failure, stoppedBy, delivery.problemStatus ?? response.status));
    const isStored = await storing;
    if (!isStarted) client.start(200, deliveryHeaders(reader));
    client.end(isStored ? tail : markResponseUnstored(request, tail));
    return undefined;
  }
}
