import { RelayError } from '../ports/relay-error.ts';
import { GuardedSink } from './guarded-sink.ts';
import type { UpstreamResponse, UpstreamSink } from './upstream-exchange.ts';

/** Maximum bytes of a response that are buffered before sending; a longer one is forwarded as it arrives. */
export const maxBufferedBytes = 8 * 1024 * 1024;
/** Maximum bytes of a response that must be read as a whole to be translated. */
export const maxTranslatedBytes = 64 * 1024 * 1024;
/** Maximum bytes of all buffered responses combined. */
const maxTotalBytes = 256 * 1024 * 1024;
/** Bytes that each response may always buffer: enough to distinguish an error from content. */
const alwaysBufferedBytes = 64 * 1024;

/** Memory for responses that are buffered before sending, shared by all requests. */
export class ResponseBuffers {
  readonly #max: number;
  #taken = 0;

  constructor(max = maxTotalBytes) {
    this.#max = max;
  }

  /** Memory for one response; released when the response has been delivered. */
  share(): BufferShare {
    return new BufferShare(this);
  }

  /** Takes memory from the pool; false if the limit is reached. */
  take(bytes: number): boolean {
    if (this.#taken + bytes > this.#max) return false;
    this.#taken += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#taken -= bytes;
  }
}

/** One request's share of the buffer memory. */
export class BufferShare implements Disposable {
  readonly #gathering: ResponseBuffers;
  #own = 0;

  constructor(gathering: ResponseBuffers) {
    this.#gathering = gathering;
  }

  take(bytes: number): boolean {
    if (!this.#gathering.take(bytes)) return false;
    this.#own += bytes;
    return true;
  }

  [Symbol.dispose](): void {
    this.#gathering.giveBack(this.#own);
    this.#own = 0;
  }
}

export interface BufferedResponse {
  readonly body: Buffer;
  /** False: the response is paused, and the caller reads the rest and resumes it. */
  readonly isWhole: boolean;
}

/** Buffers a response to its end, as far as memory allows. */
export function bufferResponse(response: UpstreamResponse, max: number, share: BufferShare): Promise<BufferedResponse> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const stop = (isWhole: boolean) => {
      const [first] = chunks;
      resolve({ body: chunks.length === 1 && first ? first : Buffer.concat(chunks, length), isWhole });
    };
    const sink: UpstreamSink = {
      data(chunk) {
        chunks.push(chunk);
        length += chunk.length;
        const hasRoom = length <= alwaysBufferedBytes || share.take(chunk.length);
        if (hasRoom && length <= max) return;
        response.pause();
        stop(false);
      },
      end: () => stop(true),
      fail: reject,
    };
    response.read(new GuardedSink({ sink, response, reject }));
  });
}

/** Buffers all of a response that cannot be forwarded in chunks. */
export async function bufferWholeResponse(
  response: UpstreamResponse,
  share: BufferShare,
  begun?: Buffer,
): Promise<Buffer> {
  const { body, isWhole } = await resumed(response, maxTranslatedBytes - (begun?.length ?? 0), share, begun);
  if (isWhole) return begun ? Buffer.concat([begun, body]) : body;
  response.abort();
  throw responseTooLongError(body.length + (begun?.length ?? 0) > maxTranslatedBytes);
}

function resumed(response: UpstreamResponse, max: number, share: BufferShare, begun: Buffer | undefined) {
  const gathering = bufferResponse(response, max, share);
  if (begun) response.resume();
  return gathering;
}

const tooLongCode = 'answer_too_long';

/** Not retried, because the upstream has done the work and another upstream would only repeat it. */
export function responseTooLongError(isOverLimit: boolean): RelayError {
  if (isOverLimit) return new RelayError(502, 'The response is too long to translate', tooLongCode);
  const error = new RelayError(503, 'Too many long responses are in flight. Retry in a second', tooLongCode);
  error.retryAfter = 1;
  return error;
}

export const isTooLongError = (error: unknown): error is RelayError =>
  error instanceof RelayError && error.code === tooLongCode;
