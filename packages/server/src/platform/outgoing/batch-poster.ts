import type { IncomingMessage } from 'node:http';
import { request as requestSecure, Agent as SecureAgent } from 'node:https';
import { readRetryAfter } from '@headgate/dialects';
import { Agent, request as requestPlain } from './node-http.ts';

export interface Batch {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly timeoutMs: number;
}

export interface BatchResponse {
  /** 0 if there was no response. */
  readonly status: number;
  /** Beginning of the response body. */
  readonly text: string;
  /** Seconds from Retry-After; undefined if absent. */
  readonly retryAfter: number | undefined;
}

const maxBytes = 65_536;
const noResponse: BatchResponse = { status: 0, text: '', retryAfter: undefined };
const requestOptions = { keepAlive: true, maxSockets: 1, timeout: 60_000 };

/**
 * Posts batches one after another to a URL that the operator set in the environment. Because it does not come from an
 * option, it may be in a private network. Does not follow redirects.
 */
export class BatchPoster {
  readonly #plain = new Agent(requestOptions);
  readonly #secure = new SecureAgent(requestOptions);

  /** Never rejects. */
  post({ url, headers, body, timeoutMs }: Batch): Promise<BatchResponse> {
    return new Promise((resolve) => {
      const isSecure = url.startsWith('https:');
      const length = String(Buffer.byteLength(body));
      const request = (isSecure ? requestSecure : requestPlain)(url, {
        method: 'POST',
        headers: { 'user-agent': 'Headgate', ...headers, 'content-type': 'application/json', 'content-length': length },
        agent: isSecure ? this.#secure : this.#plain,
        signal: AbortSignal.timeout(timeoutMs),
      });
      request.on('error', () => resolve(noResponse));
      // A server that switches protocols closes the connection without an error.
      request.on('close', () => resolve(noResponse));
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        const finish = () => resolve(respondOf(response, chunks));
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size <= maxBytes) chunks.push(chunk);
          if (size < maxBytes) return;
          // The status is known; the rest of the response is not needed.
          finish();
          request.destroy();
        });
        response.on('error', () => resolve(noResponse));
        response.on('end', finish);
      });
      request.end(body);
    });
  }

  close(): void {
    this.#plain.destroy();
    this.#secure.destroy();
  }
}

const respondOf = ({ statusCode, headers }: IncomingMessage, chunks: readonly Buffer[]): BatchResponse => ({
  status: statusCode ?? 0,
  text: Buffer.concat(chunks).toString(),
  retryAfter: readRetryAfter(headers, Date.now()),
});
