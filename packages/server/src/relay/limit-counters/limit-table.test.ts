import { expect, test } from 'vitest';
import { type LimitedRequest, LimitTable, modelMatcher, type StoredLimitRule } from './limit-table.ts';

const about = (fields: Partial<StoredLimitRule>, id = 1): StoredLimitRule => ({
  ...{ id, token_id: 0, user_id: 0, group: '', model: '', channel_id: 0, tag: '' },
  measure: 'requests_per_minute',
  amount: 10,
  counts_per: 'all',
  ...fields,
});

async function tableOf(rules: readonly StoredLimitRule[]): Promise<LimitTable> {
  const table = new LimitTable(async () => rules);
  await table.load();
  return table;
}

const request: LimitedRequest = {
  tokenId: 1,
  userId: 1,
  group: 'default',
  model: 'gpt-5',
  channels: [{ id: 1 }, { id: 2 }, { id: 3 }],
  tags: new Map([['team', 'search']]),
};

const idsOf = (table: LimitTable, limitedRequest: LimitedRequest) => {
  const { ofCaller = [], ofChannels = [] } = table.rulesFor(limitedRequest) ?? {};
  return [...ofCaller, ...ofChannels].map(({ id }) => id).sort((one, other) => one - other);
};

const others: readonly (readonly [string, (nth: number) => Partial<StoredLimitRule>])[] = [
  ['tokens', (nth) => ({ token_id: nth })],
  ['users', (nth) => ({ user_id: nth })],
  ['channels', (nth) => ({ channel_id: nth })],
  ['groups', (nth) => ({ group: `group${nth}` })],
  ['models', (nth) => ({ model: `model${nth}` })],
  ['models of its own group', (nth) => ({ group: 'default', model: `model${nth}` })],
  ['channels of its own group', (nth) => ({ group: 'default', channel_id: nth })],
  ['tags', (nth) => ({ tag: `team=${nth}` })],
  ['channels by a pattern', (nth) => ({ model: '*', channel_id: nth })],
];

test.each(others)('[A53.9] does not check ten thousand rules for other %s', async (_, fields) => {
  const foreign = Array.from({ length: 10_000 }, (__, nth) => about(fields(nth + 100), nth + 100));
  const table = await tableOf([
    ...foreign,
    about({ model: 'gpt-*' }, 1),
    about({ group: 'default', model: 'gpt-5' }, 2),
  ]);
  expect(idsOf(table, request)).toEqual([1, 2]);
  expect(table.compared).toBe(2);
});

test('[A53.9] finds every rule that applies to a request exactly once', async () => {
  let state = 11;
  const chance = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const any = <T>(...values: readonly T[]): T => values[chance(values.length)] as T;
  const rules = Array.from({ length: 400 }, (_, nth) =>
    about(
      {
        token_id: any(0, 0, 0, 1, 2),
        user_id: any(0, 0, 0, 1, 2),
        channel_id: any(0, 0, 0, 1, 4),
        group: any('', '', 'default', 'vip'),
        model: any('', 'gpt-5', 'gpt-*', '*', 'gpt-4o', '*5'),
        tag: any('', '', 'team=search', 'team=*', 'team=ads', 'feature=*'),
      },
      nth + 1,
    ),
  );
  const table = await tableOf(rules);
  for (let round = 0; round < 300; round += 1) {
    const limitedRequest: LimitedRequest = {
      tokenId: chance(4),
      userId: chance(4),
      group: any('', 'default', 'vip', 'other'),
      model: any('gpt-5', 'gpt-4o', 'o3', '', '*'),
      channels: any([], [{ id: 1 }], [{ id: 4 }, { id: 1 }], [{ id: 9 }]),
      tags: any(
        undefined,
        new Map(),
        new Map([['team', 'search']]),
        new Map([
          ['team', 'x'],
          ['feature', 'y'],
        ]),
      ),
    };
    const fitting = rules.filter(
      (rule) =>
        [0, limitedRequest.tokenId].includes(rule.token_id) &&
        [0, limitedRequest.userId].includes(rule.user_id) &&
        ['', limitedRequest.group].includes(rule.group) &&
        [0, ...limitedRequest.channels.map(({ id }) => id)].includes(rule.channel_id) &&
        (rule.tag === '' ||
          [...(limitedRequest.tags ?? [])].some(([key, value]) =>
            [`${key}=*`, `${key}=${value}`].includes(rule.tag),
          )) &&
        modelMatcher(rule.model)(limitedRequest.model),
    );
    expect(idsOf(table, limitedRequest)).toEqual(fitting.map(({ id }) => id));
  }
});
