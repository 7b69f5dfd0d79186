import { randomBytes } from 'node:crypto';
import { Agent, request as send } from 'node:http';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

/**
 * Runs as a separate process: attackers that use a loopback address other than the honest clients'. Sends at a limited
 * rate between `start` and `stop`, and reports after each stop how many requests were sent and how the server
 * responded.
 */
const [url = '', key = '', poorKey = ''] = process.argv.slice(2);
const { hostname: host, port } = new URL(url);
const localAddress = '127.0.0.2';
const chat = '/v1/chat/completions';
const megabyte = 1024 * 1024;
const agent = new Agent({ keepAlive: true, maxSockets: 200 });

const question = (content: unknown, more: object = {}) =>
  Buffer.from(JSON.stringify({ model: 'gpt-4o', max_tokens: 10, messages: [{ role: 'user', content }], ...more }));
const bodies = {
  plain: question('hi'),
  picture: question([{ type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(20 * megabyte)}` } }]),
  deep: Buffer.from(`{"model":"gpt-4o","messages":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
  parts: Buffer.from(`{"model":"gpt-4o","messages":[${'{},'.repeat(700_000)}{}]}`),
  /** Just below the maximum number of JSON elements. */
  maxParts: question(Array.from({ length: 14_000 }, (_, index) => ({ type: 'text', [`k${index}`]: 0 }))),
  /** The same number of elements, for a dialect that is translated. */
  translated: question(Array.from({ length: 14_000 }, (_, index) => ({ type: 'text', text: `k${index}` }))),
  bomb: gzipSync(question('x'.repeat(20 * megabyte))),
  endless: question('without end', { stream: true }),
};

const tally = new Map<string, number>();
const count = (what: string) => tally.set(what, (tally.get(what) ?? 0) + 1);

interface Sending {
  readonly path?: string;
  readonly 'content-encoding'?: string;
}

function post(what: string, token: string, body: Buffer, { path = chat, ...headers }: Sending = {}): void {
  const length = { 'content-length': String(body.length) };
  const sending = send({
    host,
    port,
    path,
    method: 'POST',
    localAddress,
    agent,
    headers: { authorization: `Bearer sk-${token}`, 'content-type': 'application/json', ...length, ...headers },
  });
  let isResponded = false;
  sending.on('response', (response) => {
    isResponded = true;
    count(`${what}: ${response.statusCode}`);
    response.on('error', () => undefined);
    response.resume();
  });
  // A client that is rejected while it is still sending reads the response first; then the connection is closed.
  sending.on('error', () => isResponded || count(`${what}: cut`));
  sending.end(body);
}

const unknownKey = () => randomBytes(24).toString('hex');

/** Attack requests and their rate per second. */
const habits: readonly [perSecond: number, () => void][] = [
  [100, () => post('unknown key', unknownKey(), bodies.plain)],
  [20, () => post('malformed key', 'not-a-key', bodies.plain)],
  [2, () => post('20 MB, unknown key', unknownKey(), bodies.picture)],
  [2, () => post('20 MB, empty account', poorKey, bodies.picture)],
  [0.3, () => post('20 MB image, paid', key, bodies.picture)],
  [5, () => post('100,000 levels', key, bodies.deep)],
  [5, () => post('700,000 objects', key, bodies.parts)],
  [0.5, () => post('14,000 objects, just allowed', key, bodies.maxParts)],
  [0.5, () => post('14,000 parts, translated', key, bodies.translated, { path: '/v1/messages' })],
  [5, () => post('20 kB of gzip for 20 MB', key, bodies.bomb, { 'content-encoding': 'gzip' })],
];

const slowCount = 200;
const streamCount = 20;
let timers: NodeJS.Timeout[] = [];
let sockets: Socket[] = [];

function open(body: Buffer, length: number): Socket {
  const socket = connect({ host, port: Number(port), localAddress });
  socket.on('error', () => undefined);
  socket.on('data', () => undefined);
  const head = [
    'host: x',
    `authorization: Bearer sk-${key}`,
    `content-length: ${length}`,
    'content-type: application/json',
  ];
  socket.write(`POST ${chat} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`);
  socket.write(body);
  return socket;
}

function start(): void {
  tally.clear();
  timers = habits.map(([perSecond, act]) => setInterval(act, 1000 / perSecond));
  const slow = Array.from({ length: slowCount }, () => open(Buffer.from('{'), megabyte));
  const drip = () => {
    for (const socket of slow) if (socket.writable) socket.write(' ');
  };
  timers.push(setInterval(drip, 1000));
  sockets = [...slow, ...Array.from({ length: streamCount }, () => open(bodies.endless, bodies.endless.length))];
}

function stop(): void {
  for (const timer of timers) clearInterval(timer);
  for (const socket of sockets) socket.destroy();
  timers = [];
  sockets = [];
  const kept = `${slowCount} slow bodies and ${streamCount} endless streams kept open`;
  process.send?.([kept, ...[...tally].sort().map(([what, times]) => `${what} × ${times}`)]);
}

process.on('message', (word) => (word === 'start' ? start() : stop()));
process.send?.(0);
