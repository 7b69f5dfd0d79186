import type { UpstreamResponse, UpstreamSink } from './upstream-exchange.ts';

/** Resolves when the first bytes or the end of the body arrive, because many upstreams send headers long before. */
export function waitForFirstByte(response: UpstreamResponse): Promise<UpstreamResponse> {
  return new Promise((resolve) => {
    const begun = new BegunResponse(response, () => resolve(begun));
    response.read(begun);
  });
}

/** A response whose first bytes have arrived and wait for a reader. */
class BegunResponse implements UpstreamResponse, UpstreamSink {
  readonly #response: UpstreamResponse;
  readonly #onBegun: () => void;
  readonly #held: Buffer[] = [];
  #sink: UpstreamSink | undefined;
  #isPaused = false;
  #finish: ((sink: UpstreamSink) => void) | undefined;

  constructor(response: UpstreamResponse, onBegun: () => void) {
    this.#response = response;
    this.#onBegun = onBegun;
  }

  get status(): number {
    return this.#response.status;
  }

  get headers(): UpstreamResponse['headers'] {
    return this.#response.headers;
  }

  data(chunk: Buffer): void {
    if (this.#sink && !this.#isPaused && this.#held.length === 0) {
      this.#sink.data(chunk);
      return;
    }
    this.#held.push(chunk);
    this.#response.pause();
    this.#onBegun();
  }

  end(): void {
    this.#over((sink) => sink.end());
  }

  fail(error: Error): void {
    this.#over((sink) => sink.fail(error));
  }

  read(sink: UpstreamSink): void {
    this.#sink = sink;
    this.#flush();
  }

  pause(): void {
    this.#isPaused = true;
    this.#response.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#flush();
  }

  abort(): void {
    this.#response.abort();
  }

  #over(finish: (sink: UpstreamSink) => void): void {
    this.#finish = finish;
    if (this.#sink) this.#flush();
    else this.#onBegun();
  }

  #flush(): void {
    while (this.#sink && !this.#isPaused) {
      const chunk = this.#held.shift();
      if (chunk) {
        this.#sink.data(chunk);
        continue;
      }
      const finish = this.#finish;
      if (!finish) {
        this.#response.resume();
        return;
      }
      const sink = this.#sink;
      this.#sink = undefined;
      finish(sink);
    }
  }
}
