import { ClientDisconnect, type ClientSink } from '../ports/client-sink.ts';

/** Bytes buffered before the client must read. */
const room = 64 * 1024;

/** In-memory client: the output becomes a `Response`, and an unread response causes backpressure. */
export class ResponseSink implements ClientSink {
  readonly disconnect = new ClientDisconnect();
  ignored: readonly string[] = [];
  limits: Readonly<Record<string, string>> | undefined;
  servedModel: string | undefined;
  isStarted = false;
  startedAt: number | undefined;
  readonly faults: unknown[] = [];
  readonly #response = Promise.withResolvers<Response>();
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;
  #isOver = false;
  #resume: (() => void) | undefined;

  constructor(signal: AbortSignal | undefined) {
    signal?.addEventListener('abort', () => this.#leave());
  }

  /** Rejects if the client disconnects first. */
  get response(): Promise<Response> {
    return this.#response.promise;
  }

  start(status: number, headers: Readonly<Record<string, string>>): void {
    this.isStarted = true;
    this.startedAt = performance.now();
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#body = controller;
        },
        pull: () => {
          const resume = this.#resume;
          this.#resume = undefined;
          resume?.();
        },
        cancel: () => this.#leave(),
      },
      { highWaterMark: room, size: ({ length }) => length },
    );
    const ignored = this.ignored.length > 0 && { 'x-headgate-ignored': this.ignored.join(', ') };
    const served = this.servedModel !== undefined && { 'x-headgate-model': this.servedModel };
    this.#response.resolve(new Response(body, { status, headers: { ...headers, ...ignored, ...served } }));
  }

  write(bytes: Buffer): boolean {
    if (this.#isOver) return true;
    if (bytes.length > 0) this.#body?.enqueue(Uint8Array.from(bytes));
    return (this.#body?.desiredSize ?? 0) > 0;
  }

  onDrained(resume: () => void): void {
    this.#resume = resume;
  }

  end(bytes?: Buffer): void {
    if (bytes) this.write(bytes);
    if (!this.#isOver) this.#body?.close();
    this.#isOver = true;
  }

  onInternalError(error: unknown): void {
    this.faults.push(error);
  }

  abort(): void {
    this.#breakWith(new Error('the connection was closed'));
  }

  /** Sends an error as the whole response. */
  reject(status: number, headers: Readonly<Record<string, string>>, body: string): void {
    this.#isOver = true;
    this.#response.resolve(new Response(body, { status, headers }));
  }

  /** Closing after the end of the response is not a disconnect. */
  #leave(): void {
    if (this.#isOver) return;
    this.#breakWith(new DOMException('Client disconnected', 'AbortError'));
    this.disconnect.leave();
  }

  #breakWith(error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#response.reject(error);
    this.#body?.error(error);
  }
}
