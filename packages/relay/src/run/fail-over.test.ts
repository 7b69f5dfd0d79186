import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  completion,
  done,
  plainPrice,
  reply,
  stop,
  stream,
  textChunk,
  type UpstreamHandler,
  usageEvent,
} from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import type { RouteRule } from '../ports/ports.ts';
import { type RelayFixture, useRelayFixtures } from '../testing/relay-fixture.ts';

const createFixture = useRelayFixtures(undefined, {
  retries: 1,
  channel: (_, response) => (mute.has(response) ? shortTimeouts : {}),
});
const fixtureWith = (...upstreams: UpstreamHandler[]) => createFixture({ upstreams });

/** Short timeouts for unresponsive upstreams; others get long ones, because the machine may be under load. */
const shortTimeouts = { firstByteMs: 400, idleMs: 400 };
const mute = new Set<UpstreamHandler>();
function stalling(response: UpstreamHandler): UpstreamHandler {
  mute.add(response);
  return response;
}

interface Attempts {
  readonly attempts: readonly { readonly status: number; readonly reason: string }[];
}

const reset: UpstreamHandler = (response) => {
  response.socket?.resetAndDestroy();
};
const silent = stalling(() => undefined);
const wholeStream = stream([textChunk('Hel'), textChunk('lo'), stop, usageEvent, done]);
const wholeText = textChunk('Hel') + textChunk('lo') + stop + done;
const errorEvent = 'data: {"error":{"message":"overloaded, key upstream-key-123456"}}\n\n';
const manyHeaders = 'x'.repeat(70_000);

/** Faults before the first byte is sent to the client, with the status logged for the attempt. */
const faultsBeforeFirstByte: readonly [name: string, answer: UpstreamHandler, status: number][] = [
  ['429 with Retry-After', retryAfter('7'), 429],
  ['500', reply({ error: { message: 'down' } }, 500), 500],
  ['reset before the headers', reset, 0],
  ['stall before the headers', silent, 0],
  ['200 with an error body', reply({ error: { message: 'busy' } }), 502],
  ['200 without a response', reply({ base_resp: { status_code: 1004 } }), 502],
  ['HTML', reply('<html>busy</html>', 200, 'text/html'), 200],
  ['an empty body', reply(''), 200],
];

function retryAfter(seconds: string): UpstreamHandler {
  return (response) => {
    response.writeHead(429, { 'retry-after': seconds, 'content-type': 'application/json' });
    response.end('{"error":{"message":"slow down","type":"rate_limit_error"}}');
  };
}

describe('faults before the first byte', () => {
  test.each(faultsBeforeFirstByte)(
    '[A25.4] fails over to the next channel, charges once and logs the attempt: %s',
    async (_, response, status) => {
      const fixture = await fixtureWith(response, completion());
      expect((await fixture.chat()).status).toBe(200);
      await expectOneCharge(fixture, status);
    },
  );

  test.each([
    ...faultsBeforeFirstByte,
    ['an error as first event', stream([': hello\n\n', errorEvent]), 502] as const,
    ['an error as first event, then silence', stream([errorEvent], 'stall'), 502] as const,
    ['an interruption before the first event', stream([': hello\n\n'], 'cut'), 0] as const,
    ['a stall before the first event', stalling(stream([': hello\n\n'], 'stall')), 0] as const,
    ['a large body without events', stream([`${manyHeaders}\n`], 'stall'), 200] as const,
  ])('[A3.1] fails over to the next channel for a stream and charges once: %s', async (_, respond, status) => {
    const fixture = await fixtureWith(respond, wholeStream);
    const response = await fixture.chat({ stream: true });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(wholeText);
    await expectOneCharge(fixture, status === 0 ? undefined : status);
  });

  async function expectOneCharge(fixture: RelayFixture, status: number | undefined): Promise<void> {
    const { user, outcomes, drift } = await fixture.ledger();
    expect(user.usedQuota).toBe(plainPrice);
    expect(outcomes).toMatchObject([{ quota: plainPrice }]);
    const { attempts } = JSON.parse(outcomes[0]?.detail ?? '') as Attempts;
    expect(attempts).toHaveLength(1);
    if (status !== undefined) expect(attempts[0]?.status).toBe(status);
    expect(attempts[0]?.reason).not.toContain('upstream-key');
    expect(drift).toBe(0);
  }

  test.each([
    ['429 with Retry-After', retryAfter('7'), 429, 'slow down'],
    ['500', reply({ error: { message: 'down' } }, 500), 500, 'down'],
    ['reset before the headers', reset, 502, 'the connection was lost'],
    ['stall before the headers', silent, 502, 'no response in time'],
    ['200 with an error body', reply({ error: { message: 'busy' } }), 502, 'busy'],
    ['HTML', reply('<html>', 200, 'text/html'), 502, 'The upstream response is not JSON'],
  ])(
    '[A3.2] returns an error and charges nothing when every channel fails: %s',
    async (_, respond, status, message) => {
      const fixture = await fixtureWith(respond);
      const response = await fixture.chat();
      expect(response.status).toBe(status);
      expect(response.headers.get('retry-after')).toBe(status === 429 ? '7' : null);
      expect(await response.text()).toContain(message);
      const { user, outcomes } = await fixture.ledger();
      expect(user).toMatchObject({ usedQuota: 0, quota: 1_000_000 });
      expect(outcomes).toMatchObject([{ quota: 0 }]);
      // Nothing stays reserved: a request for the whole balance succeeds.
      if (fixture.upstreams[0]) fixture.upstreams[0].handler = completion();
      expect((await fixture.chat({ max_tokens: 99_000 })).status).toBe(200);
    },
  );

  test('[A3.1] fails over to the fourth channel after a disconnect, a 500 and a timeout, and reserves and charges once', async () => {
    const upstreams = [reset, reply({ error: { message: 'down' } }, 500), silent, completion()];
    const fixture = await createFixture({ upstreams, retries: 3 });
    expect((await fixture.chat({ max_tokens: 99_000 })).status).toBe(200);
    const { user, outcomes, drift } = await fixture.ledger();
    expect(user).toMatchObject({ usedQuota: plainPrice, quota: 1_000_000 - plainPrice });
    expect(outcomes).toMatchObject([{ quota: plainPrice }]);
    const { attempts } = JSON.parse(outcomes[0]?.detail ?? '') as Attempts;
    expect(attempts.map(({ status }) => status)).toEqual([0, 500, 0]);
    // The successful attempt started after the others.
    expect(JSON.parse(outcomes[0]?.detail ?? '')).toMatchObject({ start: expect.any(Number) });
    expect(drift).toBe(0);
    // The reservation was refunded once, not three times: a request above the balance is rejected.
    expect((await fixture.chat({ max_tokens: 99_900 })).status).toBe(200);
    expect((await fixture.chat({ max_tokens: 100_100 })).status).toBe(402);
  });

  test.each(['soon', '-1', '1e9', 'Wed, 21 Oct 2015 07:28:00 GMT', '99999999999'])(
    "does not forward an upstream's Retry-After of %s",
    async (value) => {
      const fixture = await fixtureWith(retryAfter(value));
      expect((await fixture.chat()).headers.get('retry-after')).toBeNull();
    },
  );
});

describe('faults in mid-stream', () => {
  test.each([
    ['an interruption', stream([textChunk('Hel')], 'cut'), 'was interrupted'],
    ['a stall', stalling(stream([textChunk('Hel')], 'stall')), 'idle timeout'],
    ['neither an end marker nor a finish reason', stream([textChunk('Hel')]), 'unexpected end'],
    ['an error event', stream([textChunk('Hel'), errorEvent, done]), 'overloaded, key ***'],
    ['an endless line', endless(), 'too long'],
  ])('sends an error and charges the delivered part of a stream with %s', async (_, response, message) => {
    const fixture = await fixtureWith(response, completion());
    const text = await (await fixture.chat({ stream: true })).text();
    expect(text.startsWith(textChunk('Hel'))).toBe(true);
    const [failure = '', ...rest] = text.slice(textChunk('Hel').length).trim().split('\n\n');
    expect(JSON.parse(failure.slice('data: '.length))).toMatchObject({
      error: { message: expect.stringContaining(message) },
    });
    expect(rest).toEqual([]);
    expect(text).not.toContain('upstream-key');
    const { user, outcomes, drift } = await fixture.ledger();
    expect(outcomes).toMatchObject([{ endedBy: 'upstream', content: expect.stringContaining(message) }]);
    expect(outcomes[0]?.quota).toBeGreaterThan(0);
    expect(user.usedQuota).toBe(outcomes[0]?.quota);
    expect(drift).toBe(0);
    expect(fixture.upstreams[1]?.received).toEqual([]);
  });

  test('sends the error as a separate event after an event that ended before its blank line', async () => {
    const fixture = await fixtureWith(stream([textChunk('Hel').trimEnd(), '\n'], 'end'));
    const text = await (await fixture.chat({ stream: true })).text();
    expect(text.split('\n\n')).toHaveLength(3);
  });

  function endless(): UpstreamHandler {
    return async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`${textChunk('Hel')}data: {"choices":[{"delta":{"content":"`);
      const line = Buffer.alloc(256 * 1024, 'x');
      const left = once(response, 'close');
      while (!response.destroyed) {
        if (!response.write(line)) await Promise.race([once(response, 'drain'), left]);
      }
    };
  }
});

describe('unusual but complete streams', () => {
  const bytes = Buffer.from(textChunk('世界') + stop + usageEvent + done);
  const inCharacter = bytes.indexOf('世') + 1;
  test.each([
    [
      'a chunk split inside a character',
      [bytes.subarray(0, inCharacter), bytes.subarray(inCharacter)],
      textChunk('世界'),
    ],
    [
      'CRLF',
      [(textChunk('a') + stop + usageEvent + done).replaceAll('\n', '\r\n')],
      textChunk('a').replaceAll('\n', '\r\n'),
    ],
    ['data: without a space', [(textChunk('a') + stop + usageEvent + done).replaceAll('data: ', 'data:')], 'data:{'],
    [
      'comment lines',
      [`: ping\n\n${textChunk('a')}: ping\n\n${stop}${usageEvent}${done}`],
      `: ping\n\n${textChunk('a')}: ping`,
    ],
    ['no end marker, but a finish reason', [textChunk('a') + stop + usageEvent], textChunk('a') + stop],
    ['no end marker and no last newline', [(textChunk('a') + usageEvent + stop).trimEnd()], textChunk('a') + stop],
    [
      'garbage after the end marker',
      [textChunk('a') + stop + usageEvent + done, 'data: {"x":1}\n\n', '<html>'],
      textChunk('a'),
    ],
    [
      'garbage in the same chunk as the end marker',
      [`${textChunk('a')}${stop}${usageEvent}${done}data: {"x":1}\n\n`],
      textChunk('a'),
    ],
  ])('delivers a stream with %s', async (_, chunks, beginning) => {
    const fixture = await fixtureWith(stream(chunks));
    const text = await (await fixture.chat({ stream: true })).text();
    expect(text.startsWith(beginning)).toBe(true);
    expect(text.endsWith('\n\ndata: [DONE]\n\n') || text.endsWith('\r\n\r\ndata: [DONE]\n\n')).toBe(true);
    expect(text).not.toContain('"x":1');
    expect(text).not.toContain('"usage"');
    const { outcomes } = await fixture.ledger();
    expect(outcomes).toMatchObject([{ quota: plainPrice }]);
  });

  test('[A25.4] a stall after the end marker delays neither the response nor the charge, and ends at the idle timeout', async () => {
    const stalled = stream([textChunk('a'), stop, usageEvent, done], 'stall');
    const patient = await fixtureWith((...given) => stalled(...given));
    expect(await (await patient.chat({ stream: true })).text()).toBe(textChunk('a') + stop + done);
    expect((await patient.ledger()).outcomes).toMatchObject([{ quota: plainPrice }]);
    expect(await isOpen(patient)).toBe(true);
    const impatient = await fixtureWith(stalling(stalled));
    expect(await (await impatient.chat({ stream: true })).text()).toBe(textChunk('a') + stop + done);
    await impatient.upstreams[0]?.received[0]?.left;
    expect((await impatient.ledger()).outcomes).toMatchObject([{ quota: plainPrice }]);
  });

  /** True if the connection to the upstream is open. */
  const isOpen = ({ upstreams }: RelayFixture) =>
    Promise.race([upstreams[0]?.received[0]?.left.then(() => false), nextTurn(true)]);

  test('forwards 100,000 tiny chunks in full with little memory', async () => {
    const text = textChunk('some words of an answer').repeat(500);
    const tiny = Buffer.from(text + stop + usageEvent + done);
    const fixture = await fixtureWith(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (let at = 0; at < tiny.length; at += 1) {
        if (!response.write(tiny.subarray(at, at + 1))) await new Promise((resolve) => response.once('drain', resolve));
      }
      response.end();
    });
    expect(tiny.length).toBeGreaterThan(90_000);
    const before = process.memoryUsage().rss;
    const received = await (await fixture.chat({ stream: true })).text();
    expect(received).toBe(text + stop + done);
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
  });
});

test('does not retry on another channel when the request itself is invalid', async () => {
  const fixture = await fixtureWith(reply({ error: { message: 'bad' } }, 422), completion());
  expect((await fixture.chat()).status).toBe(422);
  expect(fixture.upstreams[1]?.received).toEqual([]);
});

test('[A28.1] returns the first error when retries are disabled', async () => {
  const fixture = await createFixture({ upstreams: [reply({ error: { message: 'busy' } }), completion()], retries: 0 });
  expect((await fixture.chat()).status).toBe(502);
  expect(fixture.upstreams[1]?.received).toEqual([]);
});

describe('channels that keep failing', () => {
  /** Fake clock that only moves when the test advances it. */
  function stoppedClock() {
    let now = 0;
    return { clock: () => now, goOn: (ms: number) => (now += ms) };
  }
  const down = reply({ error: { message: 'down' } }, 500);

  test('[A28.1] a channel cools down after three failures while others are used, and is retried afterwards', async () => {
    const { clock, goOn } = stoppedClock();
    const fixture = await createFixture({ upstreams: [down, completion()], ports: { clock } });
    const requestCounts = () => fixture.upstreams.map(({ received }) => received.length);
    for (let count = 0; count < 6; count += 1) expect((await fixture.chat()).status).toBe(200);
    expect(requestCounts()).toEqual([3, 6]);
    goOn(14_999);
    await fixture.chat();
    expect(requestCounts()).toEqual([3, 7]);
    goOn(1);
    await fixture.chat();
    expect(requestCounts()).toEqual([4, 8]);
    const [id] = fixture.channels.map((channel) => channel.id);
    expect(fixture.blamed).toEqual([id, id, id, id]);
    expect(await fixture.ledger()).toMatchObject({ user: { usedQuota: 8 * plainPrice, held: 0 }, drift: 0 });
  });

  test('[A28.1] a channel is used again immediately after a success', async () => {
    const fixture = await createFixture({ upstreams: [down, completion()], ports: stoppedClock() });
    const [first] = fixture.upstreams;
    for (let count = 0; count < 2; count += 1) await fixture.chat();
    if (first) first.handler = completion();
    await fixture.chat();
    if (first) first.handler = down;
    for (let count = 0; count < 3; count += 1) await fixture.chat();
    expect(first?.received).toHaveLength(6);
  });

  test('a channel is used while it cools down if it is the only one', async () => {
    const fixture = await createFixture({ upstreams: [down], ports: stoppedClock() });
    for (let count = 0; count < 5; count += 1) expect((await fixture.chat()).status).toBe(500);
    expect(fixture.upstreams[0]?.received).toHaveLength(5);
  });

  test('a channel cools down for the duration in its Retry-After header', async () => {
    const { clock, goOn } = stoppedClock();
    const fixture = await createFixture({ upstreams: [retryAfter('7'), completion()], ports: { clock } });
    await fixture.chat();
    goOn(6999);
    await fixture.chat();
    expect(fixture.upstreams[0]?.received).toHaveLength(1);
    goOn(1);
    await fixture.chat();
    expect(fixture.upstreams[0]?.received).toHaveLength(2);
  });

  test("[A57.3] a channel cools down until the date in its Retry-After header, measured by the upstream's clock", async () => {
    const { clock, goOn } = stoppedClock();
    const dated: UpstreamHandler = (response, request) => {
      response.setHeader('date', 'Sun, 06 Nov 1994 08:49:30 GMT');
      return retryAfter('Sun, 06 Nov 1994 08:49:37 GMT')(response, request);
    };
    const fixture = await createFixture({ upstreams: [dated, completion()], ports: { clock } });
    await fixture.chat();
    goOn(6999);
    await fixture.chat();
    expect(fixture.upstreams[0]?.received).toHaveLength(1);
    goOn(1);
    await fixture.chat();
    expect(fixture.upstreams[0]?.received).toHaveLength(2);
  });
});

test('[A28.1] charges only the fourth channel after three failures, and logs the attempts', async () => {
  const upstreams = [
    reply({ error: { message: 'overloaded' } }, 500),
    reply({}, 429),
    reply('<html>', 503),
    completion(),
  ];
  const fixture = await createFixture({ upstreams, retries: 3 });
  expect((await fixture.chat()).status).toBe(200);
  const { outcomes, user } = await fixture.ledger();
  expect(outcomes).toMatchObject([{ quota: plainPrice, channel: fixture.channels[3]?.id }]);
  expect(outcomes[0]?.attempts.map(({ status }) => status)).toEqual([500, 429, 503]);
  expect([user.usedQuota, user.held]).toEqual([plainPrice, 0]);
});

test.each([
  ['unknown_model', 404, 'model_not_found', null],
  ['unknown_channel', 404, 'no_channel', null],
  ['group', 403, 'model_not_allowed', null],
  ['binding', 403, 'channel_not_allowed', null],
  ['down', 503, 'no_channel', '30'],
] as const)(
  '[A69.1] a request without a route (%s) returns %i and reserves nothing',
  async (reason, status, code, retryAfter) => {
    const fixture = await createFixture({ ports: { route: () => undefined, noRouteReason: () => reason } });
    const response = await fixture.chat();
    expect([response.status, response.headers.get('retry-after')]).toEqual([status, retryAfter]);
    expect(await response.json()).toMatchObject({ error: { code } });
    expect(await fixture.ledger()).toMatchObject({ outcomes: [], user: { held: 0 } });
  },
);

test('[A69.3] returns 503 when the model is unknown and one of its fallbacks is down', async () => {
  const rule = { strategy: 'weighted', affinity: 'none', fitsWindow: false, hedgeMs: 0, fallbacks: ['other', 'spare'] };
  const fixture = await createFixture({
    ports: {
      route: () => ({ group: 'default', channels: [], rule: rule as RouteRule }),
      noRouteReason: (_caller, model) => (model === 'spare' ? 'down' : 'unknown_model'),
    },
  });
  const response = await fixture.chat();
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '30']);
  expect(JSON.stringify(await response.json())).toContain('model gpt-4o in group default');
});
