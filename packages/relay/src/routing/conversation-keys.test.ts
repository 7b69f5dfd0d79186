import { completion } from '@headgate/testkit';
import { expect, test } from 'vitest';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { type RelayFixture, useRelayFixtures } from '../testing/relay-fixture.ts';

const createFixture = useRelayFixtures(undefined, { quota: 1_000_000_000 });

const rule = {
  strategy: 'priority_weight',
  affinity: 'session',
  fitsWindow: false,
  hedgeMs: 0,
  fallbacks: [],
} as const;

const keysEach = 3;

/** A setup in which channels and keys are both numbered from 1, as in a database with separate id sequences. */
async function keyedStage(count: number): Promise<RelayFixture> {
  let made = 0;
  const channel = (baseUrl: string): Partial<RelayChannel> => {
    made += 1;
    const id = made;
    const keyed = (number: number) => ({
      id: number,
      weight: 1,
      load: { turn: 0, inFlight: 0, begun: 0 },
      channel: { ...bare, id, baseUrl, key: `key-number-${number}`, keyId: number },
    });
    const first = (id - 1) * keysEach + 1;
    return {
      id,
      priority: 0,
      weight: 1,
      keys: { strategy: 'round_robin', all: [keyed(first), keyed(first + 1), keyed(first + 2)] },
    };
  };
  const fixture: RelayFixture = await createFixture({
    upstreams: Array.from({ length: count }, () => completion()),
    channel,
    ports: { route: () => ({ group: 'default', channels: fixture.channels, rule }) },
  });
  return fixture;
}

const bare: RelayChannel = {
  ...{ id: 0, priority: 0, weight: 1, type: 8, name: 'stand-in', key: '', baseUrl: '', other: '' },
  ...{ groups: ['default'], config: {}, modelMapping: new Map(), systemPrompt: '' },
};

const keysSeen = ({ upstreams }: RelayFixture): readonly string[] =>
  upstreams.flatMap(({ received }) => received.map(({ headers }) => headers.authorization ?? ''));

test('[A58.1] distributes conversations over all keys, even if keys and channels have the same ids', async () => {
  const fixture = await keyedStage(3);
  const conversations = 270;
  for (let each = 0; each < conversations; each += 1)
    expect((await fixture.chat({ prompt_cache_key: `session ${each}` })).status).toBe(200);
  const counts = Map.groupBy(keysSeen(fixture), (key) => key);
  const shares = [...counts].map(([key, all]) => `${key.slice(-1)}: ${all.length}`).sort();
  process.stdout.write(`conversations of each key: ${shares.join(', ')}\n`);
  expect(counts.size).toBe(3 * keysEach);
  for (const [key, all] of counts) expect(all.length, key).toBeGreaterThan(conversations / 9 / 3);
});

test('[A58.1] keeps a conversation on its key for any session id, even an invalid one', async () => {
  const fixture = await keyedStage(1);
  const names: readonly unknown[] = [
    ...['\ud800', '\0', '__proto__', ' ', 'a'.repeat(1_000_000), '\u{1f600}'.repeat(5000)],
    ...[0, -1, 1e300, true, null, [], ['a'], { length: 3 }, { slice: 'a' }],
  ];
  for (const prompt_cache_key of names) {
    const before = keysSeen(fixture).length;
    for (let turn = 0; turn < 2; turn += 1) expect((await fixture.chat({ prompt_cache_key })).status).toBe(200);
    const keys = new Set(keysSeen(fixture).slice(before));
    if (typeof prompt_cache_key === 'string') expect(keys.size, prompt_cache_key.slice(0, 9)).toBe(1);
  }
});
