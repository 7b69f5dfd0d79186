export interface UpstreamRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | string | undefined;
  /** Returns the response as received, compressed or not. */
  readonly keepsEncoding?: boolean;
}

/** Receives the bytes of a response; called in order, never after `end` or `fail`. */
export interface UpstreamSink {
  data(chunk: Buffer): void;
  end(): void;
  fail(error: Error): void;
}

/** A response whose headers have arrived; its body waits for a reader. */
export interface UpstreamResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  read(sink: UpstreamSink): void;
  pause(): void;
  resume(): void;
  /** Ends the exchange and frees its connection; safe to call after the end. */
  abort(): void;
}

/** Error text for a forbidden host, without naming it. */
export const forbiddenMessage = 'its address is not allowed';

/** An internal error stopped delivery; the upstream is not at fault. */
export class DeliveryError extends Error {
  override readonly name = 'PassingFault';
}

/** The upstream could not be reached; the message does not contain its URL. */
export class UpstreamConnectionError extends Error {
  override readonly name = 'UpstreamFailure';
  /** True if the upstream received the whole request and may have started to process it. */
  readonly hadRequest: boolean;

  constructor(message: string, hadRequest = false) {
    super(message);
    this.hadRequest = hadRequest;
  }
}
