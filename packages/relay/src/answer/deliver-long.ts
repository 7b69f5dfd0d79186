import type { AnswerScan, UsageClaim } from '@headgate/dialects';
import { UsageSearch } from '../framing/usage-search.ts';
import { KeyFilter } from '../guards/key-guard.ts';
import { whoEnded } from '../ports/client-gone.ts';
import type { ClientSink } from '../ports/client-sink.ts';
import type { RelayChannel } from '../ports/relay-channel.ts';
import type { RelayError } from '../ports/relay-error.ts';
import type { TokenCount } from '../quota/quota-of.ts';
import type { RelayRequest } from '../request/read-request.ts';
import { estimateTokens } from '../tokens/estimate-tokens.ts';
import { GuardedSink } from '../upstream/guarded-sink.ts';
import type { UpstreamResponse, UpstreamSink } from '../upstream/upstream-exchange.ts';
import { breakOf } from './broken-answer.ts';

/** An answer that is too long to be gathered: what has come of it, while the rest waits in the response. */
export interface LongReply {
  readonly begun: Buffer;
  readonly contentType: string;
}

type Stopper = 'upstream' | 'client' | 'server';

/** How it went by. */
export interface LongDelivery {
  /** The last bytes of the answer; kept back until it is charged. */
  readonly tail: readonly Buffer[];
  /** What it tells of its usage, as it stands there; undefined when it tells nothing. */
  readonly usage: UsageClaim | undefined;
  /** Length of the answer, as far as it came. */
  readonly bytes: number;
  readonly failure: RelayError | undefined;
  readonly stoppedBy: Stopper | undefined;
}

interface LongJob extends LongReply {
  readonly response: UpstreamResponse;
  readonly client: ClientSink;
  readonly channel: RelayChannel;
  readonly scan: AnswerScan;
}

/** So much at least is kept back, so that nobody has an answer whose charge is not stored yet. */
const leastKept = 1024;

/** Passes an answer on as it comes, all but its end. Resolves when it is over, whoever ended it; it never rejects. */
export function deliverLong(job: LongJob): Promise<LongDelivery> {
  return new Promise((resolve, reject) => {
    const { client, response } = job;
    const passing = new PassingLong(job, resolve);
    const onFault = (error: unknown) => client.onFault(error);
    const guarded = new GuardedSink({ sink: passing, response, reject, onFault });
    client.gone.addEventListener('abort', () => guarded.run(() => passing.leave()));
    client.start(200, { 'content-type': job.contentType });
    guarded.data(job.begun);
    response.read(guarded);
    if (client.gone.aborted) guarded.run(() => passing.leave());
    else passing.goOn();
  });
}

class PassingLong implements UpstreamSink {
  readonly #job: LongJob;
  readonly #resolve: (delivery: LongDelivery) => void;
  readonly #search: UsageSearch<UsageClaim>;
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

  /** Lets the upstream speak, unless the client has yet to read. */
  goOn(): void {
    if (!this.#isWaiting) this.#job.response.resume();
  }

  data(chunk: Buffer): void {
    this.#search.push(chunk);
    this.#bytes += chunk.length;
    this.#keep(this.#keys.pass(chunk));
    for (let [first] = this.#kept; first && this.#keptBytes - first.length >= leastKept; [first] = this.#kept) {
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
    const { by, failure } = whoEnded(this.#job.client.gone);
    this.#finish(by, failure);
    this.#job.response.abort();
  }

  fail(error: Error): void {
    const { by, failure } = breakOf(error, this.#job.client.gone, 'answer');
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

/** What an answer of this length used, when it does not tell. Its limit bounds the guess, as it bounds the answer. */
export function usedByLength(estimate: TokenCount, request: RelayRequest, bytes: number): TokenCount {
  const { kind, completionLimit, answerCount } = request;
  const byLength = estimateTokens(bytes);
  if (kind.costs === 'transcript')
    return { ...estimate, units: Math.max(estimate.units ?? 0, byLength), counted: 'estimate' };
  if (kind.costs !== 'tokens' || !kind.answersText) return estimate;
  const most = completionLimit === undefined ? byLength : completionLimit * answerCount;
  return { ...estimate, completion: Math.min(byLength, most), counted: 'estimate' };
}
