import { request as requestSecure } from 'node:https';
import { createServer } from 'node:net';
import { guardedLookup, isForbiddenHost } from '@headgate/relay';
import { request as requestPlain } from './node-http.ts';

/** Whether somebody answers at an address; their words are not read. */
export interface Reached {
  /** Undefined when nobody answered. */
  readonly status: number | undefined;
  /** Why nobody answered. */
  readonly reason: string;
  /** What time it is there, in milliseconds, to the second; undefined when it was not told. */
  readonly time: number | undefined;
}

const nobody = (reason: string): Reached => ({ status: undefined, reason, time: undefined });

/** Asks for the address as anybody could, without a key: any answer will do, and it is hung up on. */
export function reach(address: string, timeoutMs: number): Promise<Reached> {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol) || isForbiddenHost(url.hostname))
    return Promise.resolve(nobody('the address may not be called'));
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
        nobody(error.name === 'AbortError' || error.name === 'TimeoutError' ? 'too slow' : (error.code ?? error.name)),
      ),
    );
    request.on('close', () => resolve(nobody('no answer')));
    request.on('response', ({ statusCode, headers }) => {
      const time = Date.parse(headers.date ?? '');
      resolve({ status: statusCode, reason: '', time: Number.isNaN(time) ? undefined : time });
      request.destroy();
    });
    request.end();
  });
}

/** Why nobody can listen there; undefined when somebody can. */
export function whyNotListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}
