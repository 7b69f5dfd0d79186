import { inject } from 'vitest';

let url: Promise<string> | undefined;

/** The URL of this worker's gateway. Tests share it, so each test creates its own users and rows. */
export function gatewayUrl(): Promise<string> {
  url ??= nodeFetch(`${inject('gatewayBroker')}/${process.env['VITEST_POOL_ID']}`).then((response) => response.text());
  return url;
}

/** Node's fetch; `globalThis.fetch` is replaced while the console is open. */
export const nodeFetch: typeof fetch = globalThis.fetch;
