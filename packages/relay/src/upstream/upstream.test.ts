import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { Upstreams } from './upstream.ts';
import { UpstreamConnectionError } from './upstream-exchange.ts';

const upstreams = new Upstreams({ connectMs: 1000, firstByteMs: 1000, idleMs: 1000 });
let resolveRequest = () => {};
let requests = 0;
const server = createServer(({ url }, response) => {
  requests += 1;
  resolveRequest();
  if (url === '/stalling') response.write('one ');
  if (url !== '/answer') return;
  response.write('one ');
  setImmediate(() => response.end('two'));
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

async function failureOf(opening: Promise<unknown>): Promise<UpstreamConnectionError> {
  const failure = await opening.catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(UpstreamConnectionError);
  return failure as UpstreamConnectionError;
}

test('sends nothing when the client disconnects while the connection is being opened', async () => {
  const gone = new AbortController();
  const opening = upstreams.open(request, gone.signal);
  gone.abort();
  expect(await failureOf(opening)).toMatchObject({ hadRequest: false });
  expect(await failureOf(upstreams.open(request, gone.signal))).toMatchObject({ hadRequest: false });
  expect(requests).toBe(0);
});

test('reports the request as sent when the client disconnects later', async () => {
  const gone = new AbortController();
  const reached = new Promise<void>((resolve) => {
    resolveRequest = resolve;
  });
  const opening = upstreams.open(request, gone.signal);
  await reached;
  gone.abort();
  expect(await failureOf(opening)).toMatchObject({ hadRequest: true });
});

test.each([true, false])(
  'delivers nothing while paused, not even the end; reader attached late: %s',
  async (isLate) => {
    const responded = once(server, 'request').then(([, response]) => once(response as ServerResponse, 'close'));
    const response = await upstreams.open({ ...request, url: `${request.url}answer` }, new AbortController().signal);
    if (isLate) await responded;
    const received: string[] = [];
    let isPaused = false;
    const receive = (what: string) => {
      expect(isPaused).toBe(false);
      received.push(what);
    };
    await new Promise<void>((resolve, reject) => {
      response.read({
        data(chunk) {
          receive(chunk.toString());
          isPaused = true;
          response.pause();
          // Long enough for all data in transit to arrive.
          setTimeout(() => {
            isPaused = false;
            response.resume();
          }, 50);
        },
        end() {
          receive('end');
          resolve();
        },
        fail: reject,
      });
    });
    expect(received.join('')).toBe('one twoend');
  },
);

test('aborts a silent upstream, but not while it is paused', async () => {
  const { signal } = new AbortController();
  const hasty = new Upstreams({ connectMs: 1000, firstByteMs: 50, idleMs: 5000 });
  expect((await failureOf(hasty.open(request, signal))).message).toMatch('no response in time');
  const impatient = new Upstreams({ connectMs: 1000, firstByteMs: 5000, idleMs: 50 });
  const response = await impatient.open({ ...request, url: `${request.url}stalling` }, signal);
  let isPaused = false;
  const failure = await new Promise<Error>((resolve, reject) => {
    response.read({
      data() {
        isPaused = true;
        response.pause();
        setTimeout(() => {
          isPaused = false;
          response.resume();
        }, 200);
      },
      end: () => reject(new Error('it ended')),
      fail: (error) => (isPaused ? reject(new Error('it was given up')) : resolve(error)),
    });
  });
  expect(failure.message).toBe('idle timeout');
  await Promise.all([hasty.close(), impatient.close()]);
});

test.each([
  'http://169.254.169.254/latest/meta-data',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://0251.0376.0251.0376/',
  'https://169.254.169.254./',
  'http://[fe80::1]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[::ffff:0:a9fe:a9fe]/',
  'http://[64:ff9b:1:ffff::a9fe:a9fe]/',
  'http://[64:ff9b:1:a9fe:a9:fe00::]/',
  'http://[2001:0:1:2:3:4:5601:5601]/',
  'http://[2002:a83f:8110::1]/',
  'http://[fd00:ec2::23]/',
  'http://100.100.100.200/',
  'http://192.0.0.192/',
  'http://168.63.129.16/',
  'http://METADATA.google.internal./',
  'ws://169.254.169.254/',
  'wss://[fe80::1]/',
])('[A21.3] does not connect to %s and does not reveal the address in the error', async (url) => {
  const failure = await failureOf(upstreams.open({ ...request, url }, new AbortController().signal));
  expect(failure).toMatchObject({ message: 'its address is not allowed', hadRequest: false });
});
