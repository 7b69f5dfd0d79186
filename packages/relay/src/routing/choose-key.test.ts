import { expect, test } from 'vitest';
import type { RelayChannel, RelayKey, RelayKeys } from '../ports/relay-channel.ts';
import { channelsWithAvailableKey, chooseKey, keyCooldownMs, selectKey } from './choose-key.ts';
import { Cooldowns } from './cooldowns.ts';

const channel: RelayChannel = {
  ...{ id: 1, type: 1, name: 'one', key: 'k1', priority: 0, weight: 0, baseUrl: '', other: '', groups: [] },
  ...{ config: {}, modelMapping: new Map(), systemPrompt: '' },
};

const keyOf = (id: number, weight: number, load = { turn: 0, inFlight: 0, begun: 0 }): RelayKey => ({
  id,
  weight,
  channel: { ...channel, key: `k${id}`, keyId: id },
  load,
});
const keysOf = (strategy: RelayKeys['strategy'], first: RelayKey, ...others: RelayKey[]): RelayKeys => ({
  strategy,
  all: [first, ...others],
});
const anyKey = () => true;
const noRoll = () => {
  throw new Error('This strategy needs no random number.');
};

test('rotates keys by weight and distributes the requests evenly', () => {
  const keys = keysOf('round_robin', keyOf(1, 3), keyOf(2, 1), keyOf(3, 1));
  const turns = Array.from({ length: 10 }, () => chooseKey(keys, anyKey, noRoll)?.id);
  expect(turns).toEqual([1, 2, 1, 3, 1, 1, 2, 1, 3, 1]);
});

test('skips unavailable keys, and returns no key when all are unavailable', () => {
  const keys = keysOf('round_robin', keyOf(1, 1), keyOf(2, 1), keyOf(3, 1));
  const turns = Array.from({ length: 4 }, () => chooseKey(keys, ({ id }) => id !== 2, noRoll)?.id);
  expect(turns).toEqual([1, 3, 1, 3]);
  expect(chooseKey(keys, () => false, noRoll)).toBeUndefined();
  expect(chooseKey(keysOf('least_used', keyOf(1, 1)), () => false, noRoll)).toBeUndefined();
});

test('chooses the key with the fewest in-flight requests for its weight, then the fewest in total', () => {
  const busy = keyOf(1, 1, { turn: 0, inFlight: 1, begun: 0 });
  const heavy = keyOf(2, 4, { turn: 0, inFlight: 2, begun: 90 });
  const often = keyOf(3, 1, { turn: 0, inFlight: 0, begun: 9 });
  const rarely = keyOf(4, 1, { turn: 0, inFlight: 0, begun: 3 });
  expect(chooseKey(keysOf('least_used', busy, heavy), anyKey, noRoll)?.id).toBe(2);
  expect(chooseKey(keysOf('least_used', busy, often, rarely), anyKey, noRoll)?.id).toBe(4);
});

test('draws a random key by weight among the available ones', () => {
  const keys = keysOf('random', keyOf(1, 1), keyOf(2, 2), keyOf(3, 1));
  const draws = (mayTake: (key: RelayKey) => boolean) =>
    [0, 0.25, 0.5, 0.75, 0.999].map((roll) => chooseKey(keys, mayTake, () => roll)?.id);
  expect(draws(anyKey)).toEqual([1, 2, 2, 3, 3]);
  expect(draws(({ id }) => id !== 2)).toEqual([1, 1, 3, 3, 3]);
  expect(draws(() => false)).toEqual([undefined, undefined, undefined, undefined, undefined]);
});

test('skips a channel while all of its keys are cooling down', () => {
  const keyed = { ...channel, keys: keysOf('round_robin', keyOf(1, 1), keyOf(2, 1)) };
  const cooldowns = new Cooldowns();
  expect(channelsWithAvailableKey([channel, keyed], cooldowns, 0)).toEqual([channel, keyed]);
  cooldowns.failed(1, 0, 60_000);
  expect(channelsWithAvailableKey([channel, keyed], cooldowns, 0)).toEqual([channel, keyed]);
  cooldowns.failed(2, 0, 30_000);
  expect(channelsWithAvailableKey([channel, keyed], cooldowns, 0)).toEqual([channel]);
  expect(keyCooldownMs(keyed.keys, cooldowns, 0)).toBe(30_000);
  expect(channelsWithAvailableKey([channel, keyed], cooldowns, 30_000)).toEqual([channel, keyed]);
});

test('uses the key that created a response, or the first key if the channel had only one when the response was created', () => {
  const keyed = { ...channel, keys: keysOf('round_robin', keyOf(1, 1), keyOf(2, 1)) };
  expect(selectKey(channel, 7)).toBe(channel);
  expect(selectKey(keyed, 2)).toMatchObject({ key: 'k2', keyId: 2 });
  expect(selectKey(keyed, 0)).toMatchObject({ key: 'k1' });
  expect(selectKey(keyed, 9)).toBeUndefined();
});
