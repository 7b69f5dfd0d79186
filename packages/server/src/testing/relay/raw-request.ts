import { type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends the path exactly as written; `fetch` would normalize dot segments and lower-case the host. */
export function rawRequest(url: string, path: string, options: RawRequest = {}): Promise<RawResponse> {
  const { method = 'GET', headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    // Node sends the body of a DELETE correctly only with an explicit length.
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sending = request(url, { path, method, headers: { ...length, ...headers }, agent: false }, (response) => {
      text(response).then(
        (content) => resolve({ status: response.statusCode ?? 0, headers: response.headers, text: content }),
        reject,
      );
    });
    sending.on('error', reject);
    sending.end(body);
  });
}
