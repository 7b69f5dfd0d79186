export interface UpstreamRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | string | undefined;
  /** The answer is wanted as it comes, compressed or not. */
  readonly keepsEncoding?: boolean;
}

/** What happens to the bytes of an answer; called in order, none after `end` or `fail`. */
export interface UpstreamSink {
  data(chunk: Buffer): void;
  end(): void;
  fail(error: Error): void;
}

/** An answer whose head has come; its body waits until somebody reads it. */
export interface UpstreamResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  read(sink: UpstreamSink): void;
  pause(): void;
  resume(): void;
  /** Ends the exchange and frees its connection; harmless when it is over. */
  abort(): void;
}

/** Why a forbidden host is not called; nobody is told which host it is. */
export const forbiddenWords = 'its address may not be called';

/** What came could not be passed on, by a fault of our own: no upstream is to blame. */
export class PassingFault extends Error {
  override readonly name = 'PassingFault';
}

/** The upstream could not be talked to, in words without its address. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure';
  /** The upstream had the whole request: it may have begun to work on it. */
  readonly hadRequest: boolean;

  constructor(message: string, hadRequest = false) {
    super(message);
    this.hadRequest = hadRequest;
  }
}
