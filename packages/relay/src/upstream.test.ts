import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { Upstreams } from './upstream.ts';
import { UpstreamFailure } from './upstream-exchange.ts';

const upstreams = new Upstreams({ connectMs: 1000, firstByteMs: 1000, idleMs: 1000 });
let asked = () => {};
let requests = 0;
const server = createServer(() => {
  requests += 1;
  asked();
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(async () => {
  await upstreams.close();
  server.closeAllConnections();
  server.close();
});

const request = {
  method: 'POST',
  url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
  headers: {},
  body: '{}',
} as const;

async function failureOf(opening: Promise<unknown>): Promise<UpstreamFailure> {
  const failure = await opening.catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(UpstreamFailure);
  return failure as UpstreamFailure;
}

test('whoever leaves while the connection is made has asked for nothing', async () => {
  const leaving = new AbortController();
  const opening = upstreams.open(request, leaving.signal);
  leaving.abort();
  expect(await failureOf(opening)).toMatchObject({ hadRequest: false });
  expect(await failureOf(upstreams.open(request, leaving.signal))).toMatchObject({ hadRequest: false });
  expect(requests).toBe(0);
});

test('whoever leaves later has', async () => {
  const leaving = new AbortController();
  const reached = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const opening = upstreams.open(request, leaving.signal);
  await reached;
  leaving.abort();
  expect(await failureOf(opening)).toMatchObject({ hadRequest: true });
});
