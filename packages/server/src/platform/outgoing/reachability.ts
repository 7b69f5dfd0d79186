import { request as requestSecure } from 'node:https';
import { createServer } from 'node:net';
import { guardedLookup, isForbiddenHost } from '@headgate/relay';
import { request as requestPlain } from './node-http.ts';

/** Result of a request to a URL; the body is not read. */
export interface Reachability {
  /** Undefined if there was no response. */
  readonly status: number | undefined;
  /** Reason why there was no response. */
  readonly reason: string;
  /** Time of the server from the Date header, in milliseconds; undefined if absent. */
  readonly time: number | undefined;
}

const noUser = (reason: string): Reachability => ({ status: undefined, reason, time: undefined });

/** Sends a request without a key and disconnects after any response. */
export function checkReachable(address: string, timeoutMs: number): Promise<Reachability> {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol) || isForbiddenHost(url.hostname))
    return Promise.resolve(noUser('the address is not allowed'));
  return new Promise((resolve) => {
    const request = (url.protocol === 'https:' ? requestSecure : requestPlain)(url, {
      method: 'GET',
      headers: { 'user-agent': 'Headgate' },
      lookup: guardedLookup,
      signal: AbortSignal.timeout(timeoutMs),
      agent: false,
    });
    request.on('error', (error: Error & { code?: string }) =>
      resolve(
        noUser(error.name === 'AbortError' || error.name === 'TimeoutError' ? 'timed out' : (error.code ?? error.name)),
      ),
    );
    request.on('close', () => resolve(noUser('no response')));
    request.on('response', ({ statusCode, headers }) => {
      const time = Date.parse(headers.date ?? '');
      resolve({ status: statusCode, reason: '', time: Number.isNaN(time) ? undefined : time });
      request.destroy();
    });
    request.end();
  });
}

/** Error code if the server cannot listen on `host:port`, such as EADDRINUSE; undefined if it can. */
export function listenError(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}
