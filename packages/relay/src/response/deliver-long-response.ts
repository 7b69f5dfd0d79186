import type { ResponseEnvelope, ResponseScan, UnverifiedUsage } from '@headgate/dialects';
import { UsageSearch } from '../framing/usage-search.ts';
import { KeyFilter } from '../guards/key-leak-filter.ts';
import { type ClientDisconnect, type ClientSink, disconnectCause } from '../ports/client-sink.ts';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { RelayError } from '../ports/relay-error.ts';
import type { TokenCount } from '../quota/quota-of.ts';
import type { RelayRequest } from '../request/read-request.ts';
import { estimateTokens } from '../tokens/estimate-tokens.ts';
import { GuardedSink } from '../upstream/guarded-sink.ts';
import { DeliveryError, type UpstreamResponse, type UpstreamSink } from '../upstream/upstream-exchange.ts';

/** A response too long to buffer: the bytes received so far, with the rest still in the upstream response. */
export interface LongResponse {
  readonly begun: Buffer;
  readonly contentType: string;
}

type Stopper = 'upstream' | 'client' | 'server';

/** Outcome of delivering a long response. */
interface LongDelivery {
  /** Last bytes of the response, withheld until the charge is stored. */
  readonly tail: readonly Buffer[];
  /** Usage that the response reports; undefined without a report. */
  readonly usage: UnverifiedUsage | undefined;
  /** Number of bytes received. */
  readonly bytes: number;
  readonly failure: RelayError | undefined;
  readonly stoppedBy: Stopper | undefined;
}

interface LongJob extends LongResponse {
  readonly response: UpstreamResponse;
  readonly client: ClientSink;
  readonly channel: RelayChannel;
  readonly scan: ResponseScan;
}

/** Minimum number of bytes withheld, so that no client has a complete response before its charge is stored. */
const minHeldBack = 1024;

/**
 * Forwards a response as it arrives, except its end. Resolves when the response is over, whichever side ended it; never
 * rejects.
 */
export function deliverLongResponse(job: LongJob): Promise<LongDelivery> {
  return new Promise((resolve, reject) => {
    const { client, response } = job;
    const passing = new PassingLong(job, resolve);
    const onFault = (error: unknown) => client.onInternalError(error);
    const guarded = new GuardedSink({ sink: passing, response, reject, onFault });
    client.disconnect.addEventListener('abort', () => guarded.run(() => passing.leave()));
    client.start(200, { 'content-type': job.contentType });
    guarded.data(job.begun);
    response.read(guarded);
    if (client.disconnect.aborted) guarded.run(() => passing.leave());
    else passing.goOn();
  });
}

class PassingLong implements UpstreamSink {
  readonly #job: LongJob;
  readonly #resolve: (delivery: LongDelivery) => void;
  readonly #search: UsageSearch<UnverifiedUsage>;
  readonly #keys: KeyFilter;
  #kept: Buffer[] = [];
  #keptBytes = 0;
  #bytes = 0;
  #isWaiting = false;

  constructor(job: LongJob, resolve: (delivery: LongDelivery) => void) {
    this.#job = job;
    this.#resolve = resolve;
    this.#search = new UsageSearch(job.scan.fields.usage.name, job.scan.readUsage);
    this.#keys = new KeyFilter(job.channel);
  }

  /** Resumes the upstream unless the client still has bytes to read. */
  goOn(): void {
    if (!this.#isWaiting) this.#job.response.resume();
  }

  data(chunk: Buffer): void {
    this.#search.push(chunk);
    this.#bytes += chunk.length;
    this.#keep(this.#keys.pass(chunk));
    for (let [first] = this.#kept; first && this.#keptBytes - first.length >= minHeldBack; [first] = this.#kept) {
      this.#kept.shift();
      this.#keptBytes -= first.length;
      this.#write(first);
    }
  }

  end(): void {
    this.#keep(this.#keys.finish());
    this.#finish();
  }

  leave(): void {
    const { by, failure } = disconnectCause(this.#job.client.disconnect);
    this.#finish(by, failure);
    this.#job.response.abort();
  }

  fail(error: Error): void {
    const { by, failure } = interruptionCause(error, this.#job.client.disconnect, 'response');
    this.#finish(by, failure);
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#kept.push(bytes);
    this.#keptBytes += bytes.length;
  }

  #write(bytes: Buffer): void {
    const { client, response } = this.#job;
    if (client.write(bytes) || this.#isWaiting) return;
    this.#isWaiting = true;
    response.pause();
    client.onDrained(() => {
      this.#isWaiting = false;
      response.resume();
    });
  }

  #finish(stoppedBy?: Stopper, failure?: RelayError): void {
    this.#resolve({ tail: this.#kept, usage: this.#search.usage, bytes: this.#bytes, failure, stoppedBy });
  }
}

/** Usage of a response of this length without a usage report, capped by the request's own limit. */
export function usageByLength(estimate: TokenCount, request: RelayRequest, bytes: number): TokenCount {
  const { kind, completionLimit, choiceCount } = request;
  const byLength = estimateTokens(bytes);
  if (kind.billedBy === 'transcript')
    return { ...estimate, units: Math.max(estimate.units ?? 0, byLength), counted: 'estimate' };
  if (kind.billedBy !== 'tokens' || !kind.hasTextOutput) return estimate;
  const max = completionLimit === undefined ? byLength : completionLimit * choiceCount;
  return { ...estimate, completion: Math.min(byLength, max), counted: 'estimate' };
}

/** The side that ended a response early, and the failure to log. */
export function interruptionCause(error: Error, gone: ClientDisconnect, what: 'response' | 'stream') {
  if (gone.aborted) return disconnectCause(gone);
  if (error instanceof DeliveryError) {
    const failure = new RelayError(500, `Internal error while delivering the ${what}`, 'internal_error');
    return { by: 'server', failure } as const;
  }
  return { by: 'upstream', failure: interruptedResponseError(what, error.message) } as const;
}

export const interruptedResponseError = (what: 'response' | 'stream', why: string) =>
  new RelayError(502, `The upstream's ${what} was interrupted: ${why}`, 'upstream_broke');

const millisecondsPerSecond = 1000;

/** Properties of the request that its response repeats. */
export const responseEnvelope = (
  { model, wantsUsage, body, address, storing }: RelayRequest,
  requestId: string,
): ResponseEnvelope => ({
  id: requestId,
  created: Math.floor(Date.now() / millisecondsPerSecond),
  model,
  wantsUsage,
  body,
  framing: address.framing,
  storing,
});
