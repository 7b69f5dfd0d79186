import { type Dialect, type Failure, parseJson, type UpstreamProblem, type Usage } from '@headgate/dialects';
import type { StreamReader } from '../framing/converted-stream.ts';
import type { ExtensionFailure, StreamMeter } from '../metering/stream-meter.ts';
import type { FinishedStream } from '../metering/usage-counter.ts';
import { type ClientSink, disconnectCause } from '../ports/client-sink.ts';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { databaseUnreachableError, RelayError } from '../ports/relay-error.ts';
import { GuardedSink } from '../upstream/guarded-sink.ts';
import { toRelayError, upstreamError } from '../upstream/upstream-error.ts';
import type { UpstreamResponse, UpstreamSink } from '../upstream/upstream-exchange.ts';
import { interruptedResponseError, interruptionCause } from './deliver-long-response.ts';

const streamHead = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
} as const;

export const deliveryHeaders = ({ contentType }: StreamReader): Readonly<Record<string, string>> =>
  contentType === undefined ? streamHead : { ...streamHead, 'content-type': contentType };

type Stopper = 'upstream' | 'client' | 'quota' | 'budget' | 'server';

export interface Delivery {
  /** True once the client has received part of the stream. */
  readonly isStarted: boolean;
  /**
   * Last bytes of the stream, withheld until the charge is stored. Includes the counted usage if the upstream reports
   * none.
   */
  readonly tail: (counted: Usage) => Buffer;
  /** How much of the response the upstream's last usage report covers. */
  readonly reportCovers: FinishedStream['reportCovers'];
  /** Reason why the stream ended early; undefined if it did not. */
  readonly failure: RelayError | undefined;
  /** Equivalent HTTP status of an error inside the upstream's 200; undefined without an error. */
  readonly problemStatus: number | undefined;
  readonly stoppedBy: Stopper | undefined;
  /** True if the last part exceeded the quota and was not delivered. */
  readonly isUnpaid: boolean;
}

/**
 * A whole response received instead of a stream: the bytes received so far, with the rest still in the upstream
 * response.
 */
export interface NonStreamedResponse {
  readonly begun: Buffer;
}

interface StreamJob {
  readonly response: UpstreamResponse;
  readonly reader: StreamReader;
  readonly channel: RelayChannel;
  readonly client: ClientSink;
  readonly requestId: string;
  readonly dialect: Dialect;
  readonly meter: Pick<StreamMeter, 'allows'>;
  /** True if a non-streamed response can be read too. */
  readonly mayBeWhole: boolean;
  /** Nothing is sent before the first content, so that an empty response can be retried. */
  readonly holdsUntilContent: boolean;
}

/** Bytes allowed before the first event, for example keep-alive comments. */
const maxPreludeLength = 64 * 1024;
const space = 0x20;
const brace = 0x7b;

/**
 * Forwards a stream as it arrives. Resolves when the stream is over, whichever side ended it; rejects only on an
 * internal error.
 */
export const deliverStream = (job: StreamJob): Promise<Delivery | NonStreamedResponse> =>
  new Promise((resolve, reject) => {
    const { client, response } = job;
    const delivery = new StreamDelivery(job, resolve);
    const onFault = (error: unknown) => client.onInternalError(error);
    const guarded = new GuardedSink({ sink: delivery, response, reject, onFault });
    delivery.onFault = (error) => guarded.broke(error);
    client.disconnect.addEventListener('abort', () => guarded.run(() => delivery.leave()));
    response.read(guarded);
  });

class StreamDelivery implements UpstreamSink {
  readonly #job: StreamJob;
  readonly #resolve: (delivery: Delivery | NonStreamedResponse) => void;
  readonly #reader: StreamReader;
  #mayBeWhole: boolean;
  #held: Buffer[] = [];
  #heldLength = 0;
  #isStarted = false;
  #isOver = false;
  #isWaiting = false;
  #isInDoubt = false;
  #isUnpaid = false;
  #endsBetweenEvents = true;
  #problemStatus: number | undefined;
  /** Receives errors from callbacks that no caller awaits. */
  onFault: (error: unknown) => void = () => undefined;

  constructor(job: StreamJob, resolve: (delivery: Delivery | NonStreamedResponse) => void) {
    this.#job = job;
    this.#resolve = resolve;
    this.#mayBeWhole = job.mayBeWhole;
    this.#reader = job.reader;
  }

  leave(): void {
    const { by, failure } = disconnectCause(this.#job.client.disconnect);
    this.#stop(by, failure);
  }

  data(chunk: Buffer): void {
    if (this.#isOver) {
      // The client has the complete response, so the rest of the upstream's response is discarded.
      this.#job.response.abort();
      return;
    }
    if (this.#mayBeWhole && this.#isInOnePiece(chunk)) return;
    let bytes: Buffer;
    try {
      bytes = this.#reader.push(chunk);
    } catch (error) {
      this.#stop(
        'upstream',
        interruptedResponseError('stream', error instanceof Error ? error.message : 'unknown error'),
      );
      return;
    }
    const isAllowed = this.#job.meter.allows();
    if (isAllowed === true) this.#deliver(bytes);
    else if (typeof isAllowed === 'string') this.#stopUnpaid(isAllowed);
    else this.#deliverIf(isAllowed, bytes).catch(this.onFault);
  }

  end(): void {
    if (this.#isOver) return;
    this.#hand(this.#reader.finish());
    if (this.#reader.problem) this.#finish('upstream', this.#errorInside(this.#reader.problem));
    else if (this.#reader.isComplete || this.#reader.hasFinishReason) this.#finish();
    else if (this.#job.client.disconnect.aborted) this.fail(new Error('unexpected end'));
    else this.#finish('upstream', this.#endedTooEarly());
  }

  fail(error: Error): void {
    const { by, failure } = interruptionCause(error, this.#job.client.disconnect, 'stream');
    this.#finish(by, failure);
  }

  /** A body that starts with a brace is not an event stream. */
  #isInOnePiece(chunk: Buffer): boolean {
    const first = chunk.find((byte) => byte > space);
    this.#mayBeWhole = first === undefined;
    if (first !== brace) return false;
    this.#isOver = true;
    this.#job.response.pause();
    this.#resolve({ begun: chunk });
    return true;
  }

  #judge(): void {
    const reader = this.#reader;
    if (reader.problem) this.#stop('upstream', this.#errorInside(reader.problem));
    else if (reader.isComplete) this.#finish();
    else if (!this.#isStarted && this.#heldLength > maxPreludeLength) this.#stop('upstream', this.#endedTooEarly());
  }

  #deliver(bytes: Buffer): void {
    this.#hand(bytes);
    this.#judge();
  }

  #hand(bytes: Buffer): void {
    this.#reader.length.deliver();
    this.#endsBetweenEvents = this.#reader.isBetweenEvents;
    this.#pass(bytes);
  }

  /** Pauses the upstream until the quota check is done. */
  async #deliverIf(reply: Promise<true | ExtensionFailure>, bytes: Buffer): Promise<void> {
    this.#isInDoubt = true;
    this.#job.response.pause();
    const isAllowed = await reply;
    this.#isInDoubt = false;
    if (this.#isOver) return;
    if (isAllowed !== true) return this.#stopUnpaid(isAllowed);
    this.#deliver(bytes);
    this.#resume();
  }

  #resume(): void {
    if (!this.#isWaiting && !this.#isInDoubt) this.#job.response.resume();
  }

  /** Nothing is sent until the first event is known not to be an error, so that another channel can still be tried. */
  #pass(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#held.push(bytes);
    this.#heldLength += bytes.length;
    if (this.#reader.isComplete || (!this.#isStarted && this.#isHeldBack)) return;
    const { client, response } = this.#job;
    if (!this.#isStarted) client.start(200, deliveryHeaders(this.#reader));
    this.#isStarted = true;
    if (client.write(this.#takeHeld()) || this.#isWaiting) return;
    this.#isWaiting = true;
    response.pause();
    client.onDrained(() => {
      this.#isWaiting = false;
      this.#resume();
    });
  }

  /** True if the events so far may be followed by an error or by nothing. */
  get #isHeldBack(): boolean {
    if (this.#reader.events === 0) return true;
    const mayBeEmpty = this.#job.holdsUntilContent && this.#reader.length.read === 0;
    return mayBeEmpty && this.#heldLength <= maxPreludeLength;
  }

  #takeHeld(): Buffer {
    const [first = Buffer.alloc(0)] = this.#held;
    const taken = this.#held.length > 1 ? Buffer.concat(this.#held) : first;
    this.#held = [];
    this.#heldLength = 0;
    return taken;
  }

  #lastWords(failure: Failure): string {
    return this.#reader.failing?.(failure) ?? this.#job.dialect.writeErrorEvent(failure);
  }

  #errorInside(problem: UpstreamProblem): RelayError {
    this.#problemStatus = problem.status;
    return toRelayError(problem, this.#job.channel);
  }

  /** A non-stream body may be an error object. */
  #endedTooEarly(): RelayError {
    if (this.#reader.events > 0) return interruptedResponseError('stream', 'unexpected end');
    const body = this.#takeHeld();
    const problem = this.#reader.problemIn?.(parseJson(body.toString('utf8')));
    if (problem) return this.#errorInside(problem);
    return upstreamError(502, body, this.#job.channel, 'The upstream response is not a stream');
  }

  #stopUnpaid(shortage: ExtensionFailure): void {
    this.#isUnpaid = true;
    if (shortage === 'quota') this.#stop('quota', outOfQuota());
    else if (shortage === 'cost_limit') this.#stop('quota', beyondCostLimit());
    else if (shortage === 'budget') this.#stop('budget', outOfBudget());
    else this.#stop('server', databaseUnreachableError());
  }

  #stop(stoppedBy: Stopper, failure: RelayError): void {
    this.#finish(stoppedBy, failure);
    this.#job.response.abort();
  }

  #finish(stoppedBy?: Stopper, failure?: RelayError): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#resolve({
      isStarted: this.#isStarted,
      tail: (counted) => this.#tail(counted, failure),
      reportCovers: this.#reportCovers(stoppedBy),
      failure,
      problemStatus: this.#problemStatus,
      stoppedBy,
      isUnpaid: this.#isUnpaid,
    });
  }

  #reportCovers(stoppedBy: Stopper | undefined): Delivery['reportCovers'] {
    if (this.#isUnpaid) return 'more';
    // Some upstreams report usage at the start, before the length of the response is known.
    return stoppedBy === undefined || this.#reader.hasFinishReason ? 'all' : 'beginning';
  }

  #tail(counted: Usage, failure: RelayError | undefined): Buffer {
    const separator = this.#endsBetweenEvents ? '' : '\n';
    const { requestId } = this.#job;
    const last = failure ? this.#lastWords(failure.asFailure(requestId)) : this.#reader.ending(counted);
    return Buffer.concat([
      ...(failure ? [] : this.#held),
      Buffer.from(separator),
      typeof last === 'string' ? Buffer.from(last) : last,
    ]);
  }
}

const beyondCostLimit = () =>
  new RelayError(429, 'The cost limit per request is reached; the stream was ended', 'cost_limit_reached');

const outOfBudget = () => new RelayError(429, 'A budget is exhausted; the stream was ended', 'budget_exhausted');

const outOfQuota = () => new RelayError(402, 'The quota is exhausted; the stream was ended', 'insufficient_user_quota');
