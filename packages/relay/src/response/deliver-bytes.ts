import { type ImageTokenUsage, type ResponseScan, readImageTokenUsage, streamsImages } from '@headgate/dialects';
import { AudioScanner, MediaEventScanner } from '../framing/media-event-scanner.ts';
import { UsageSearch } from '../framing/usage-search.ts';
import { KeyFilter } from '../guards/key-leak-filter.ts';
import { type ClientSink, disconnectCause } from '../ports/client-sink.ts';
import type { RelayChannel } from '../ports/relay-channel.ts';
import type { RelayError } from '../ports/relay-error.ts';
import type { RelayRequest } from '../request/read-request.ts';
import { GuardedSink } from '../upstream/guarded-sink.ts';
import { toRelayError } from '../upstream/upstream-error.ts';
import type { UpstreamResponse, UpstreamSink } from '../upstream/upstream-exchange.ts';
import { isEventStream } from './collect-stream.ts';
import { allowedContentType } from './content-type.ts';
import { interruptionCause } from './deliver-long-response.ts';

/** Outcome of delivering a binary response. */
export interface BytesDelivery {
  readonly isStarted: boolean;
  readonly failure: RelayError | undefined;
  /** Equivalent HTTP status of an error inside the upstream's 200; undefined without an error. */
  readonly problemStatus: number | undefined;
  readonly stoppedBy: Stopper | undefined;
  /** True if nothing billable was delivered. */
  readonly isFree: boolean;
  /** Image usage reported in the upstream's last event. */
  readonly imageUsage: ImageTokenUsage | undefined;
}

interface BytesJob {
  readonly response: UpstreamResponse;
  readonly client: ClientSink;
  readonly channel: RelayChannel;
  readonly draws: boolean;
  readonly scan: ResponseScan;
}

type Stopper = 'upstream' | 'client' | 'server';

/** True if the response streams partial images as events, because the client requested them. */
export const isImageStream = ({ kind, body }: RelayRequest, { headers }: UpstreamResponse): boolean =>
  kind.billedBy === 'images' && streamsImages(body) && isEventStream({ headers });

/** Forwards a binary response as it arrives, except its end, which the caller writes after the charge is stored. */
export const deliverBytes = (job: BytesJob): Promise<BytesDelivery> =>
  new Promise((resolve, reject) => {
    const { client, response } = job;
    const passing = new PassingBytes(job, resolve);
    const onFault = (error: unknown) => client.onInternalError(error);
    const guarded = new GuardedSink({ sink: passing, response, reject, onFault });
    client.disconnect.addEventListener('abort', () => guarded.run(() => passing.leave()));
    response.read(guarded);
  });

/** Ends an incomplete response so that it does not look complete. Only an event stream can contain the reason. */
export function finishBytesDelivery(
  { client, response }: BytesJob,
  { stoppedBy, failure }: Pick<BytesDelivery, 'stoppedBy' | 'failure'>,
  requestId: string,
): void {
  if (stoppedBy === 'server' && isEventStream(response) && failure) client.end(errorEvent(failure, requestId));
  else if (stoppedBy === 'upstream' || stoppedBy === 'server') client.abort();
  else client.end();
}

/** Starts with a blank line because the bytes before may be an incomplete event. */
const errorEvent = (failure: RelayError, requestId: string): Buffer =>
  Buffer.from(`\n\nevent: error\ndata: ${JSON.stringify(failure.body(requestId))}\n\n`);

class PassingBytes implements UpstreamSink {
  readonly #job: BytesJob;
  readonly #resolve: (delivery: BytesDelivery) => void;
  readonly #scanner: MediaEventScanner | AudioScanner;
  readonly #usage: UsageSearch<ImageTokenUsage> | undefined;
  readonly #keys: KeyFilter;
  #held: Buffer[] = [];
  #isStarted = false;

  constructor(job: BytesJob, resolve: (delivery: BytesDelivery) => void) {
    this.#job = job;
    this.#resolve = resolve;
    this.#keys = new KeyFilter(job.channel);
    const { media, fields } = job.scan;
    if (job.draws) this.#usage = new UsageSearch(fields.usage.name, (usage) => readImageTokenUsage({ usage }));
    if (job.draws) this.#scanner = new MediaEventScanner(media.pictures);
    else this.#scanner = isEventStream(job.response) ? new MediaEventScanner(media.sound) : new AudioScanner();
  }

  leave(): void {
    const { by, failure } = disconnectCause(this.#job.client.disconnect);
    this.#stop(by, failure);
  }

  data(chunk: Buffer): void {
    this.#scanner.push(chunk);
    this.#usage?.push(chunk);
    const passed = this.#keys.pass(chunk);
    if (passed.length > 0) this.#held.push(passed);
    // Nothing is sent until an error is ruled out, so that another channel can still be tried.
    if (this.#isStarted || !this.#scanner.isUndecided) this.#pass();
  }

  end(): void {
    this.#scanner.finish();
    const rest = this.#keys.finish();
    if (rest.length > 0) this.#held.push(rest);
    this.#pass();
    this.#finish();
  }

  fail(error: Error): void {
    const { by, failure } = interruptionCause(error, this.#job.client.disconnect, 'response');
    this.#finish(by, failure);
  }

  #pass(): void {
    const { client, response } = this.#job;
    if (this.#scanner.problem && !this.#isStarted) {
      this.#stop('upstream');
      return;
    }
    for (const chunk of this.#held.splice(0)) {
      if (!this.#isStarted) client.start(200, this.#headers);
      this.#isStarted = true;
      if (client.write(chunk)) continue;
      response.pause();
      client.onDrained(() => response.resume());
    }
  }

  get #headers(): Readonly<Record<string, string>> {
    const { headers } = this.#job.response;
    const encoding = headers['content-encoding'];
    return {
      'content-type': allowedContentType('bytes', headers['content-type']),
      // Some upstreams compress even if compression was not requested.
      ...(encoding !== undefined && { 'content-encoding': String(encoding) }),
    };
  }

  #stop(stoppedBy: Stopper, failure?: RelayError): void {
    this.#finish(stoppedBy, failure);
    this.#job.response.abort();
  }

  #finish(stoppedBy?: Stopper, failure?: RelayError): void {
    const { problem } = this.#scanner;
    const isBare = this.#scanner instanceof MediaEventScanner && !this.#scanner.hasContent;
    this.#resolve({
      isStarted: this.#isStarted,
      // A client may disconnect right after reading the error; the error is still the cause.
      failure: problem ? toRelayError(problem, this.#job.channel) : failure,
      problemStatus: problem?.status,
      stoppedBy,
      isFree: isBare && (problem !== undefined || stoppedBy === 'upstream' || stoppedBy === 'server'),
      imageUsage: this.#usage?.usage,
    });
  }
}
