import type { ClientSink } from './client-sink.ts';
import { estimateTokens, readUsage } from './count-tokens.ts';
import { SseScanner } from './framing/sse-scanner.ts';
import type { TokenCount } from './price/price.ts';
import { RelayError } from './relay-error.ts';
import type { UpstreamResponse, UpstreamSink } from './upstream.ts';

export const streamHead = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
} as const;

export interface Delivery {
  /** Whether the client has seen anything of it. */
  readonly isStarted: boolean;
  /** Bytes that say the stream is complete; kept back until it is charged. */
  readonly tail: Buffer;
  /** What was used, by the upstream's word or by what went by. */
  readonly usage: TokenCount;
  /** Why it stopped before its end; undefined when it did not. */
  readonly failure: RelayError | undefined;
}

interface StreamJob {
  readonly response: UpstreamResponse;
  readonly client: ClientSink;
  readonly promptTokens: number;
  readonly hidesUsage: boolean;
  /** Says whether the stream may go on after this many completion tokens. */
  readonly mayGoOn: (completionTokens: number) => boolean;
}

/** Passes a stream on as it comes. Resolves when it is over, whoever ended it; it never rejects. */
export const deliverStream = (job: StreamJob): Promise<Delivery> =>
  new Promise((resolve) => job.response.read(new StreamDelivery(job, resolve)));

class StreamDelivery implements UpstreamSink {
  readonly #job: StreamJob;
  readonly #resolve: (delivery: Delivery) => void;
  readonly #scanner = new SseScanner();
  readonly #tail: Buffer[] = [];
  #isStarted = false;
  #isOver = false;

  constructor(job: StreamJob, resolve: (delivery: Delivery) => void) {
    this.#job = job;
    this.#resolve = resolve;
    job.client.signal.addEventListener('abort', () => this.#stop(clientLeft()), { once: true });
  }

  data(chunk: Buffer): void {
    if (this.#isOver) return;
    try {
      this.#pass(this.#scanner.push(chunk, this.#job.hidesUsage ? isUsageOnly : undefined));
    } catch (error) {
      this.#stop(new RelayError(502, error instanceof Error ? error.message : 'The stream broke', 'bad_response'));
      return;
    }
    if (!this.#job.mayGoOn(seenBy(this.#scanner, 0).completion)) this.#stop(outOfQuota());
  }

  end(): void {
    if (!this.#isOver) this.#pass(this.#scanner.finish());
    this.#finish(undefined);
  }

  fail(error: Error): void {
    const { aborted } = this.#job.client.signal;
    this.#finish(
      aborted ? clientLeft() : new RelayError(502, `The upstream broke off: ${error.message}`, 'upstream_broke'),
    );
  }

  #pass(bytes: Buffer): void {
    if (bytes.length === 0) return;
    const { client, response } = this.#job;
    if (this.#scanner.isComplete) this.#tail.push(bytes);
    else {
      if (!this.#isStarted) client.start(200, streamHead);
      this.#isStarted = true;
      if (client.write(bytes)) return;
      response.pause();
      client.onDrained(() => response.resume());
    }
  }

  #stop(failure: RelayError): void {
    this.#finish(failure);
    this.#job.response.abort();
  }

  #finish(stopped: RelayError | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const failure = stopped ?? failureOf(this.#scanner);
    this.#resolve({
      isStarted: this.#isStarted,
      tail: Buffer.concat(this.#tail),
      usage: readUsage(this.#scanner.usage) ?? seenBy(this.#scanner, this.#isStarted ? this.#job.promptTokens : 0),
      failure,
    });
  }
}

/** Counted as it went by: a piece is a token at least. */
const seenBy = (scanner: SseScanner, prompt: number): TokenCount => ({
  prompt,
  completion: Math.max(scanner.pieces, estimateTokens(scanner.textBytes)),
});

function failureOf(scanner: SseScanner): RelayError | undefined {
  if (scanner.error) {
    const { message } = scanner.error as { message?: unknown };
    return new RelayError(502, typeof message === 'string' ? message : 'The upstream sent an error', 'upstream_error');
  }
  return scanner.isComplete
    ? undefined
    : new RelayError(502, 'The upstream ended the stream too early', 'upstream_broke');
}

const isUsageOnly = (event: unknown): boolean => {
  const { choices } = event as { choices?: unknown };
  return Array.isArray(choices) && choices.length === 0;
};

const clientLeft = () => new RelayError(499, 'The client left', 'client_left');

const outOfQuota = () => new RelayError(402, 'The quota is used up; the stream ends here', 'insufficient_user_quota');
