import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { UpstreamServices } from '../run/upstream-services.ts';
import { RelayFixture } from '../testing/relay-fixture.ts';

const services = new UpstreamServices({ connectMs: 2000, firstByteMs: 30_000, idleMs: 30_000 });
const servers: Server[] = [];
afterAll(async () => {
  await services.close();
  for (const server of servers) server.close();
});

const reply = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  model: 'gpt-4o',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});
const whole = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${reply.length}\r\n\r\n${reply}`;

type Act = (socket: Socket) => void;
const replies: Act = (socket) => socket.write(whole);
const finishes: Act = (socket) => socket.end();
const resets: Act = (socket) => socket.resetAndDestroy();

interface Arrival {
  readonly connection: number;
  /** Number of the request on its connection. */
  readonly request: number;
}

/**
 * A raw upstream that acts when a request starts to arrive or has arrived in full, and records the bodies of the
 * requests to which it responded.
 */
async function rawUpstream(actOn: (arrival: Arrival) => Act, when: 'begun' | 'whole' = 'whole') {
  const arrivals: Arrival[] = [];
  const bodies: string[] = [];
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    const connection = connections;
    let request = 0;
    let received = '';
    let act: Act | undefined;
    const arrive = () => {
      request += 1;
      arrivals.push({ connection, request });
      const chosen = actOn({ connection, request });
      if (chosen !== replies) chosen(socket);
      return chosen;
    };
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      const body = wholeBody(received);
      if (body === undefined && when === 'whole') return;
      act ??= arrive();
      if (body === undefined || act !== replies) return;
      bodies.push(body);
      received = '';
      act = undefined;
      replies(socket);
    });
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, arrivals, bodies };
}

/** Body of a fully received request. */
function wholeBody(received: string): string | undefined {
  const end = received.indexOf('\r\n\r\n');
  const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
  const body = received.slice(end + 4);
  return end >= 0 && body.length >= length ? body : undefined;
}

/** A relay with one channel to this URL and no retries. */
function stageAt(baseUrl: string): RelayFixture {
  const upstream = { url: baseUrl, respond: () => undefined, seen: [], close: async () => undefined };
  return new RelayFixture(services, [upstream as never], { retries: 0, quota: 1_000_000_000 });
}

/** Reads the response and waits until its connection is free again. */
async function finished(response: Response): Promise<string> {
  const text = await response.text();
  for (let turn = 0; turn < 3; turn += 1) await setImmediate();
  return text;
}

const closings = [
  ['FIN', finishes],
  ['RST', resets],
] as const;

test.each(closings)('[A69.5] resends a request when a reused connection is closed with %s', async (_, closes) => {
  const { url, arrivals, bodies } = await rawUpstream(({ request }) => (request === 1 ? replies : closes));
  const fixture = stageAt(url);
  const before = services.upstreams.resent;
  for (let count = 0; count < 6; count += 1) {
    const response = await fixture.chat({ user: `caller-${count}` });
    expect([response.status, await finished(response)]).toEqual([200, reply]);
  }
  // The connection of a resent request is not reused, so only every second request uses a reused connection.
  expect(services.upstreams.resent - before).toBe(3);
  expect(arrivals.map(({ connection }) => connection)).toEqual([1, 1, 2, 3, 3, 4, 5, 5, 6]);
  expect(bodies.map((body) => JSON.parse(body).user)).toEqual([0, 1, 2, 3, 4, 5].map((count) => `caller-${count}`));
  const { outcomes, drift } = await fixture.ledger();
  expect(outcomes.map(({ attempts, failure }) => [attempts, failure])).toEqual(new Array(6).fill([[], undefined]));
  expect([fixture.blamed, drift]).toEqual([[], 0]);
});

test.each(closings)(
  '[A69.5] resends a large body when the connection is closed with %s while it is sent',
  async (_, closes) => {
    const behave = ({ request }: Arrival) => (request === 1 ? replies : closes);
    const { url, bodies } = await rawUpstream(behave, 'begun');
    const fixture = stageAt(url);
    const content = 'words '.repeat(200_000);
    for (const text of ['hi', content]) {
      const response = await fixture.chat({ messages: [{ role: 'user', content: text }] });
      expect(response.status).toBe(200);
      await finished(response);
    }
    expect(bodies.map((body) => JSON.parse(body).messages[0].content.length)).toEqual([2, content.length]);
  },
);

test.each(closings)(
  '[A69.6] does not resend a request when a fresh connection is closed with %s',
  async (_, closes) => {
    const { url, arrivals } = await rawUpstream(() => closes);
    const fixture = stageAt(url);
    expect((await fixture.chat()).status).toBe(502);
    expect(arrivals).toEqual([{ connection: 1, request: 1 }]);
    expect(fixture.blamed).toEqual([fixture.channels[0]?.id]);
  },
);

test.each(closings)('[A69.6] resends only once when every connection is closed with %s', async (_, closes) => {
  const behave = ({ connection, request }: Arrival) => (connection === 1 && request === 1 ? replies : closes);
  const { url, arrivals } = await rawUpstream(behave);
  const fixture = stageAt(url);
  await finished(await fixture.chat());
  expect((await fixture.chat()).status).toBe(502);
  expect(arrivals).toEqual([
    { connection: 1, request: 1 },
    { connection: 1, request: 2 },
    { connection: 2, request: 1 },
  ]);
});

test.each([
  ['part of the headers', 'HTTP/1.1 200 OK\r\ncontent-'],
  ['an interim response', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ['part of the body', whole.slice(0, -5)],
])('[A69.6] does not resend a request when the upstream has sent %s', async (_, begun) => {
  const partly: Act = (socket) => socket.end(begun);
  const { url, arrivals } = await rawUpstream(({ request }) => (request === 1 ? replies : partly));
  const fixture = stageAt(url);
  await finished(await fixture.chat());
  expect((await fixture.chat()).status).toBe(502);
  expect(arrivals.map(({ connection }) => connection)).toEqual([1, 1]);
});

test('[A69.6] does not resend a request if the upstream had time to process it before closing the connection', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const late: Act = (socket) => {
    vi.advanceTimersByTime(60_000);
    socket.end();
  };
  const { url, arrivals } = await rawUpstream(({ request }) => (request === 1 ? replies : late));
  const fixture = stageAt(url);
  await finished(await fixture.chat());
  expect((await fixture.chat()).status).toBe(502);
  expect(arrivals.map(({ connection }) => connection)).toEqual([1, 1]);
});

test('[A69.6] does not resend a request when the client has disconnected', async () => {
  const { promise: arrived, resolve } = Promise.withResolvers<void>();
  const silent: Act = () => resolve();
  const { url, arrivals } = await rawUpstream(({ request }) => (request === 1 ? replies : silent));
  const fixture = stageAt(url);
  await finished(await fixture.chat());
  const leaving = new AbortController();
  const pending = fixture.chat({}, { signal: leaving.signal }).catch(() => undefined);
  await arrived;
  leaving.abort();
  await pending;
  await fixture.ledger();
  expect(arrivals.map(({ connection }) => connection)).toEqual([1, 1]);
});
