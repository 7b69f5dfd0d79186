import { completion, reply, type UpstreamHandler } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import type { RouteRule } from '../ports/ports.ts';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { type RelayFixture, useRelayFixtures } from '../testing/relay-fixture.ts';

const createFixture = useRelayFixtures(undefined, { channel: { priority: 0, weight: 1 } });
type StageOptions = NonNullable<Parameters<typeof createFixture>[0]>;

const usualRule: RouteRule = {
  strategy: 'priority_weight',
  affinity: 'off',
  fitsWindow: false,
  hedgeMs: 0,
  fallbacks: [],
};

/** A relay with a routing rule and a fixed random sequence. */
async function ruled(rule: Partial<RouteRule>, { ports, ...options }: StageOptions): Promise<RelayFixture> {
  const fixture: RelayFixture = await createFixture({
    quota: 1_000_000_000,
    ...options,
    ports: {
      roll: seededRolls(),
      route: () => ({ group: 'default', channels: fixture.channels, rule: { ...usualRule, ...rule } }),
      ...ports,
    },
  });
  return fixture;
}

function seededRolls(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const requestCounts = ({ upstreams }: RelayFixture): number[] => upstreams.map(({ received }) => received.length);

/** Each upstream's share of the requests since `before`; printed with the test output. */
function sharesSince(fixture: RelayFixture, before: readonly number[], reason: string): number[] {
  const counts = requestCounts(fixture).map((count, index) => count - (before[index] ?? 0));
  const total = counts.reduce((sum, count) => sum + count, 0);
  const shares = counts.map((count) => count / total);
  process.stdout.write(`${reason}: ${shares.map((share) => `${Math.round(share * 100)} %`).join(', ')}\n`);
  return shares;
}

const down = reply({ error: { message: 'down' } }, 500);
const weights = (...given: number[]): NonNullable<StageOptions['channel']> => {
  let index = 0;
  return () => {
    index += 1;
    return { priority: 0, weight: given[index - 1] ?? 1 };
  };
};

describe('routing strategies within one priority', () => {
  test('least busy: gives each channel in-flight requests in proportion to its weight', async () => {
    const gate = Promise.withResolvers<void>();
    const waiting: UpstreamHandler = async (response, request) => {
      await gate.promise;
      await completion()(response, request);
    };
    const fixture = await ruled(
      { strategy: 'least_busy' },
      { upstreams: [waiting, waiting, waiting], channel: weights(1, 1, 2) },
    );
    const replies = Array.from({ length: 80 }, () => fixture.chat());
    await expect.poll(() => requestCounts(fixture).reduce((sum, count) => sum + count, 0)).toBe(80);
    const [first = 0, second = 0, heavy = 0] = sharesSince(fixture, [], 'least busy, weights 1, 1, 2');
    gate.resolve();
    for (const response of await Promise.all(replies)) expect(response.status).toBe(200);
    expect(first).toBeCloseTo(0.25, 1);
    expect(second).toBeCloseTo(0.25, 1);
    expect(heavy).toBeCloseTo(0.5, 1);
  });

  test('least busy: skips a busy channel while another is idle', async () => {
    const gate = Promise.withResolvers<void>();
    const waiting: UpstreamHandler = async (response, request) => {
      await gate.promise;
      await completion()(response, request);
    };
    const fixture = await ruled({ strategy: 'least_busy' }, { upstreams: [waiting, completion(), completion()] });
    // Sends requests until one goes to the first channel and stays in flight.
    const running: Promise<Response>[] = [];
    while ((requestCounts(fixture)[0] ?? 0) === 0) {
      const before = requestCounts(fixture).reduce((sum, count) => sum + count, 0);
      running.push(fixture.chat());
      await expect.poll(() => requestCounts(fixture).reduce((sum, count) => sum + count, 0)).toBe(before + 1);
      if ((requestCounts(fixture)[0] ?? 0) === 0) await running.at(-1);
    }
    for (let turn = 0; turn < 30; turn += 1) expect((await fixture.chat()).status).toBe(200);
    expect(requestCounts(fixture)[0]).toBe(1);
    gate.resolve();
    await Promise.all(running);
  });

  test('fastest: prefers the channel with the lowest latency, and probes the others with a few requests', async () => {
    let now = 0;
    const latencies = [100, 400, 1000];
    const responding =
      (index: number): UpstreamHandler =>
      (response, request) => {
        now += latencies[index] ?? 0;
        return completion()(response, request);
      };
    const fixture = await ruled(
      { strategy: 'quickest' },
      { upstreams: [responding(0), responding(1), responding(2)], ports: { clock: () => now } },
    );
    const turns = async (count: number, reason: string) => {
      const before = requestCounts(fixture);
      for (let turn = 0; turn < count; turn += 1) expect((await fixture.chat()).status).toBe(200);
      return sharesSince(fixture, before, reason);
    };
    const [quick = 0, ...others] = await turns(300, 'quickest, after 100, 400 and 1,000 ms');
    expect(quick).toBeGreaterThan(0.85);
    for (const share of others) expect(share).toBeGreaterThan(0);
    latencies[0] = 3000;
    expect((await turns(300, 'the first now after 3,000 ms'))[1]).toBeGreaterThan(0.7);
    latencies[0] = 50;
    expect((await turns(1000, 'the first now after 50 ms'))[0]).toBeGreaterThan(0.5);
  });

  test('fastest: does not treat a channel that fails immediately as fast', async () => {
    let now = 0;
    const slow: UpstreamHandler = (response, request) => {
      now += 2000;
      return completion()(response, request);
    };
    const fixture = await ruled(
      { strategy: 'quickest' },
      { upstreams: [down, slow], retries: 1, ports: { clock: () => now } },
    );
    for (let turn = 0; turn < 100; turn += 1) expect((await fixture.chat()).status).toBe(200);
    const [failing = 0, served = 0] = requestCounts(fixture);
    expect(served).toBe(100);
    expect(failing).toBeLessThan(15);
  });

  test('cheapest: uses the channel with the lowest upstream cost, shares equal costs by weight, and puts unknown costs last', async () => {
    const purchases: Partial<RelayChannel>[] = [
      { purchase: { multiplier: 1, models: {} } },
      { purchase: { multiplier: 0.5, models: {} } },
      { purchase: { multiplier: 0.5, models: {} }, weight: 3 },
      { purchase: { multiplier: 1, models: { 'gpt-4o': { input: 100, output: 100 } } } },
    ];
    let index = 0;
    const channel = () => {
      index += 1;
      return { priority: 0, weight: 1, ...purchases[index - 1] };
    };
    const upstreams = [completion(), completion(), completion(), completion()];
    const fixture = await ruled({ strategy: 'cheapest' }, { upstreams, channel });
    for (let turn = 0; turn < 200; turn += 1) await fixture.chat();
    const [dear, light = 0, heavy = 0, dearest] = sharesSince(
      fixture,
      [],
      'cheapest, at 1, 0.5, 0.5 (weight 3), 100 $',
    );
    expect([dear, dearest]).toEqual([0, 0]);
    expect(light).toBeGreaterThan(0.15);
    expect(heavy).toBeGreaterThan(0.6);
  });

  test('uses the highest priority first, regardless of the strategy', async () => {
    let index = 0;
    const channel = () => {
      index += 1;
      return { priority: index === 1 ? 5 : 0, weight: 1, purchase: { multiplier: index === 1 ? 9 : 1, models: {} } };
    };
    const fixture = await ruled({ strategy: 'cheapest' }, { upstreams: [completion(), completion()], channel });
    for (let turn = 0; turn < 10; turn += 1) await fixture.chat();
    expect(requestCounts(fixture)).toEqual([10, 0]);
  });
});

describe('session affinity', () => {
  const turnsOf = (conversation: number, turns: number) => {
    const messages: { role: string; content: unknown }[] = [
      { role: 'system', content: 'You are of use.' },
      { role: 'user', content: `Question ${conversation}` },
    ];
    return Array.from({ length: turns }, (_, turn) => {
      if (turn > 0) messages.push({ role: 'assistant', content: 'Yes' }, { role: 'user', content: `More ${turn}` });
      return [...messages];
    });
  };

  /** Upstream that served each turn of each conversation. */
  async function served(fixture: RelayFixture, conversations: number, turns: number): Promise<number[][]> {
    const all: number[][] = [];
    for (let conversation = 0; conversation < conversations; conversation += 1) {
      const one: number[] = [];
      for (const messages of turnsOf(conversation, turns)) {
        const before = requestCounts(fixture);
        expect((await fixture.chat({ messages })).status).toBe(200);
        one.push(fixture.upstreams.findLastIndex(({ received }, index) => received.length > (before[index] ?? 0)));
      }
      all.push(one);
    }
    return all;
  }

  test('keeps a conversation on one channel and distributes conversations by weight', async () => {
    const fixture = await ruled(
      { affinity: 'conversation' },
      { upstreams: [completion(), completion(), completion()], channel: weights(1, 1, 2) },
    );
    const all = await served(fixture, 60, 5);
    const kept = all.flat().filter((upstream, index) => upstream === all[Math.floor(index / 5)]?.[0]).length;
    process.stdout.write(`turns on the channel of their conversation: ${(kept / all.flat().length) * 100} %\n`);
    expect(kept / all.flat().length).toBeGreaterThanOrEqual(0.95);
    const [first = 0, second = 0, heavy = 0] = sharesSince(fixture, [], 'conversations, weights 1, 1, 2');
    expect(first).toBeGreaterThan(0.1);
    expect(second).toBeGreaterThan(0.1);
    expect(heavy).toBeGreaterThan(0.35);
  });

  test('moves only the conversations of a failing channel, and moves them back when the channel recovers', async () => {
    let now = 0;
    const fixture = await ruled(
      { affinity: 'conversation' },
      { upstreams: [completion(), completion(), completion()], retries: 2, ports: { clock: () => now } },
    );
    const before = (await served(fixture, 12, 1)).flat();
    const [failing] = fixture.upstreams;
    if (failing) failing.handler = down;
    const meanwhile = (await served(fixture, 12, 3)).map((turns) => turns.at(-1));
    for (const [index, upstream] of before.entries())
      if (upstream === 0) expect(meanwhile[index]).not.toBe(0);
      else expect(meanwhile[index]).toBe(upstream);
    if (failing) failing.handler = completion();
    now += 600_000;
    expect((await served(fixture, 12, 1)).flat()).toEqual(before);
  });

  test('keeps a conversation on one key of a channel', async () => {
    const fixture = await ruled(
      { affinity: 'session' },
      {
        upstreams: [completion()],
        channel: (url) => ({ keys: { strategy: 'round_robin', all: [keyed(1, url), keyed(2, url), keyed(3, url)] } }),
      },
    );
    const keysOf = async (body: object) => {
      for (let turn = 0; turn < 6; turn += 1) await fixture.chat(body);
      const seen = fixture.upstreams[0]?.received.splice(0) ?? [];
      return new Set(seen.map(({ headers }) => headers.authorization));
    };
    expect((await keysOf({ prompt_cache_key: 'one' })).size).toBe(1);
    expect((await keysOf({})).size).toBe(3);
  });
});

const keyed = (id: number, baseUrl: string) => ({
  id: 9000 + id,
  weight: 1,
  load: { turn: 0, inFlight: 0, begun: 0 },
  channel: { ...bare, id: 9000, baseUrl, key: `key-number-${id}`, keyId: 9000 + id },
});

const bare: RelayChannel = {
  id: 0,
  priority: 0,
  weight: 1,
  type: 8,
  name: 'stand-in',
  key: '',
  baseUrl: '',
  other: '',
  groups: ['default'],
  config: {},
  modelMapping: new Map(),
  systemPrompt: '',
};

describe('retry budget', () => {
  test('[A40.1] prevents a retry storm when every channel fails, and allows a retry after a minute without failures', async () => {
    let now = 0;
    const fixture = await createFixture({
      upstreams: [down, down, down, down],
      retries: 3,
      ports: { clock: () => now, retryShare: () => 0.2 },
    });
    const requests = 300;
    for (let turn = 0; turn < requests; turn += 1) expect((await fixture.chat({ model: 'gpt-4.1' })).status).toBe(500);
    const calls = requestCounts(fixture).reduce((sum, count) => sum + count, 0);
    process.stdout.write(`upstream calls for each request while all fail: ${calls / requests}\n`);
    expect(calls).toBeLessThanOrEqual(requests * 1.2);
    const last = (await fixture.ledger()).outcomes.at(-1);
    expect(JSON.parse(last?.detail ?? '')).toMatchObject({ not_retried: 'budget' });
    now += 61_000;
    await fixture.chat({ model: 'gpt-4.1' });
    expect(requestCounts(fixture).reduce((sum, count) => sum + count, 0)).toBe(calls + 4);
    expect(await fixture.ledger()).toMatchObject({ user: { held: 0 }, drift: 0 });
  });
});

describe('context windows', () => {
  const mapped = (...models: string[]) => {
    let index = 0;
    return () => {
      index += 1;
      return { priority: 10 - index, modelMapping: new Map([['gpt-4o', models[index - 1] ?? 'gpt-4o']]) };
    };
  };
  const saying = (words: number) => ({ messages: [{ role: 'user', content: 'word '.repeat(words) }] });

  test('skips a channel whose context window is too small for the prompt', async () => {
    const upstreams = [completion(), completion()];
    const fixture = await ruled({ fitsWindow: true }, { upstreams, channel: mapped('gpt-4', 'gpt-4.1') });
    await fixture.chat(saying(1000));
    expect(requestCounts(fixture)).toEqual([1, 0]);
    await fixture.chat(saying(20_000));
    expect(requestCounts(fixture)).toEqual([1, 1]);
    // The prompt is too long by the estimate, but not by the token count. Requests wait only briefly while the
    // vocabulary is loading.
    const countsIt = async () => {
      const [before = 0] = requestCounts(fixture);
      await fixture.chat(saying(7000));
      return requestCounts(fixture)[0] === before + 1;
    };
    await expect.poll(countsIt).toBe(true);
  });

  test('tries all channels when the prompt fits no context window', async () => {
    const fixture = await ruled({ fitsWindow: true }, { upstreams: [completion()], channel: mapped('gpt-4') });
    expect((await fixture.chat(saying(20_000))).status).toBe(200);
  });
});

describe('fallback models', () => {
  /** The first upstream serves gpt-4o, the second gpt-4.1. */
  const chained = (responses: readonly [UpstreamHandler, UpstreamHandler], options: StageOptions = {}) => {
    const chain: Promise<RelayFixture> = ruled(
      {},
      {
        upstreams: responses,
        ...options,
        ports: {
          ...options.ports,
          route: (_, model) => ({
            group: 'default',
            channels: fixture?.channels.slice(0, 1) ?? [],
            rule: { ...usualRule, fallbacks: model === 'gpt-4o' ? ['unknown', 'gpt-4.1'] : [] },
          }),
          fallbackRoute: (_, model) =>
            model === 'gpt-4.1' ? { group: 'default', channels: fixture?.channels.slice(1) ?? [] } : undefined,
        },
      },
    );
    let fixture: RelayFixture | undefined;
    return chain.then((made) => {
      fixture = made;
      return made;
    });
  };

  test('serves, charges and logs a fallback model when all channels of the requested model fail', async () => {
    const fixture = await chained([down, completion()]);
    const response = await fixture.chat();
    expect(response.status).toBe(200);
    expect(response.headers.get('x-headgate-model')).toBe('gpt-4.1');
    expect(fixture.upstreams[1]?.received[0]?.body['model']).toBe('gpt-4.1');
    const alone = await createFixture({ upstreams: [completion()] });
    await alone.chat({ model: 'gpt-4.1' });
    const { outcomes, user, drift } = await fixture.ledger();
    expect(outcomes).toHaveLength(1);
    const [outcome] = outcomes;
    expect(outcome).toMatchObject({ model: 'gpt-4.1', quota: (await alone.ledger()).outcomes[0]?.quota });
    expect(JSON.parse(outcome?.detail ?? '')).toMatchObject({
      asked_model: 'gpt-4o',
      attempts: [{ status: 500, channel: fixture.channels[0]?.id }],
    });
    expect({ held: user.held, drift }).toEqual({ held: 0, drift: 0 });
  });

  test('does not try fallback models if the request itself is invalid', async () => {
    const fixture = await chained([reply({ error: { message: 'bad' } }, 422), completion()]);
    expect((await fixture.chat()).status).toBe(422);
    expect(requestCounts(fixture)).toEqual([1, 0]);
  });

  test('logs the requested model when all fallback models fail', async () => {
    const fixture = await chained([down, down]);
    expect((await fixture.chat()).status).toBe(500);
    const { outcomes, user } = await fixture.ledger();
    expect(outcomes).toMatchObject([{ model: 'gpt-4o', quota: 0, attempts: [{ status: 500 }, { model: 'gpt-4.1' }] }]);
    expect(user.held).toBe(0);
  });

  test('[A40.2] skips a fallback model that the balance does not cover', async () => {
    const dear = { ModelRatio: { 'gpt-4o': 1, 'gpt-4.1': 1000 } };
    const { noRatios } = await import('../testing/no-ratios.ts');
    const ratios = () => ({ ...noRatios, ...dear });
    const fixture = await chained([down, completion()], { quota: 5000, ports: { ratios } });
    expect((await fixture.chat({ max_tokens: 100 })).status).toBe(500);
    expect(requestCounts(fixture)).toEqual([1, 0]);
    expect(await fixture.ledger()).toMatchObject({ user: { quota: 5000, held: 0 }, drift: 0 });
  });
});

describe('hedged requests', () => {
  test('sends a hedged request when the first channel is silent, uses the first response and logs both attempts', async () => {
    const silent: UpstreamHandler = () => undefined;
    const fixture = await ruled(
      { hedgeMs: 300, affinity: 'off' },
      { upstreams: [silent, completion()], channel: weights(1_000_000, 1) },
    );
    expect((await fixture.chat()).status).toBe(200);
    expect(requestCounts(fixture)).toEqual([1, 1]);
    await fixture.upstreams[0]?.received[0]?.left;
    const { outcomes, user, drift } = await fixture.ledger();
    expect(outcomes).toMatchObject([{ channel: fixture.channels[1]?.id, attempts: [] }]);
    const { hedges } = JSON.parse(outcomes[0]?.detail ?? '') as { hedges: { channel: number; cost: number }[] };
    expect(hedges).toMatchObject([{ channel: fixture.channels[0]?.id }]);
    expect(hedges[0]?.cost).toBeGreaterThan(0);
    expect({ held: user.held, drift, blamed: fixture.blamed }).toEqual({ held: 0, drift: 0, blamed: [] });
  });

  test('waits for the second channel when the first fails, and starts streaming at the first byte', async () => {
    const gate = Promise.withResolvers<void>();
    const failing: UpstreamHandler = async (response, request) => {
      await gate.promise;
      await down(response, request);
    };
    const late: UpstreamHandler = async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      gate.resolve();
      response.end(
        'data: {"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
      );
    };
    const fixture = await ruled({ hedgeMs: 50 }, { upstreams: [failing, late], channel: weights(1_000_000, 1) });
    const reply = await fixture.chat({ stream: true });
    expect(await reply.text()).toContain('hi');
    expect(await fixture.ledger()).toMatchObject({ user: { held: 0 }, drift: 0 });
  });

  test('sends no hedged request when the first channel responds in time', async () => {
    const fixture = await ruled(
      { hedgeMs: 600_000 },
      { upstreams: [completion(), completion()], channel: weights(1_000_000, 1) },
    );
    expect((await fixture.chat()).status).toBe(200);
    expect(requestCounts(fixture)).toEqual([1, 0]);
  });
});
