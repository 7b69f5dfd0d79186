import type { Gateway } from '@headgate/testkit';
import { inject } from 'vitest';

let gateway: Promise<Pick<Gateway, 'url' | 'folder'>> | undefined;

/** This worker's gateway. Tests share it, so each test creates its own users and rows. */
export function workerGateway(): Promise<Pick<Gateway, 'url' | 'folder'>> {
  gateway ??= nativeFetch(`${inject('gatewayBroker')}/${process.env['VITEST_POOL_ID']}`).then((response) =>
    response.json(),
  );
  return gateway;
}

export const gatewayUrl = async (): Promise<string> => (await workerGateway()).url;

/** Node's fetch, because `globalThis.fetch` is replaced while the console is open. */
export const nativeFetch: typeof fetch = globalThis.fetch;
