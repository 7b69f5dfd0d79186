import { tokenApi } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { changeSample, dataOf, editSamples, etagOf, readSample } from '../../testing/accounts/edit-samples.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { samples, makeChannel, makeToken } = await editSamples(app);

/** Rows to which other rows can refer. */
const channelId = (await makeChannel()).id;
const tokenId = (await makeToken()).id;
const rootId = 1;
const inAYear = Math.floor(Date.now() / 1000) + 86_400 * 365;

const ofTokens = {
  name: 'other',
  status: 2,
  expired_time: inAYear,
  unlimited_quota: true,
  models: 'other',
  subnet: '10.0.0.0/8',
  note: 'other',
  groups: 'default',
  dialects: 'anthropic',
  endpoints: 'rerank',
  fixed_tags: 'team=search',
};

const ofBudgets = { amount: 9, period: 'day', time_zone: 'Asia/Shanghai', enabled: false, note: 'other' };

/** A different value for every editable field. */
const others: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  channel: {
    name: 'other',
    type: 17,
    key: 'sk-other',
    models: 'other',
    group: 'vip',
    status: 2,
    base_url: 'https://other.example',
    other: 'other',
    model_mapping: '{"m":"other"}',
    system_prompt: 'other',
    purchase: '{"multiplier":0.5}',
    config: '{"region":"other"}',
    priority: 7,
    weight: 7,
    tag: 'other',
    key_strategy: 'least_used',
    rules: '[{"name":"a","then":[{"do":"status","status":400,"retryable":true}]}]',
  },
  user: { username: 'other-name', display_name: 'other', group: 'vip' },
  self: { username: 'other-self', display_name: 'other' },
  token: ofTokens,
  organization: { name: 'other', status: 2, group: 'vip', sso_allowed: true },
  organizationMember: { role: 'viewer' },
  project: { name: 'other', models: 'other', fixed_tags: 'team=search', status: 2 },
  organizationToken: ofTokens,
  redemption: { name: 'other', quota: 9, status: 2, expired_time: inAYear, max_uses: 3 },
  limitRule: {
    token_id: tokenId,
    user_id: rootId,
    group: 'vip',
    model: 'other',
    channel_id: channelId,
    measure: 'tokens_per_minute',
    amount: 9,
    counts_per: 'user',
    tag: 'team=search',
    note: 'other',
    enabled: false,
  },
  plan: {
    name: 'Renamed',
    description: 'two',
    currency: 'eur',
    price: 7,
    days: 2,
    windows: [{ period: 'day', hours: 0, amount: 6 }],
    time_zone: 'Asia/Tokyo',
    models: 'gpt-4o',
    groups: 'vip',
    upgrade_group: 'vip',
    recurring: true,
    max_per_user: 3,
    enabled: false,
    sort: 4,
  },
  budget: ofBudgets,
  ownBudget: ofBudgets,
  routingRule: {
    group: 'vip',
    model: 'other',
    strategy: 'cheapest',
    affinity: 'user',
    fits_window: false,
    hedge_ms: 900,
    fallbacks: 'other',
    split_model: 'other',
    split_tag: 'canary',
    split_percent: 20,
    split_own_price: true,
    mirror_model: 'other',
    mirror_percent: 20,
    mirror_channel: 'other',
  },
  modelAlias: { pattern: 'other-pattern', model: 'other' },
  logExport: { name: 'other', enabled: false, settings: { folder: 'elsewhere' } },
  alertReceiver: { name: 'other', language: 'zh', settings: { secret: 'another of sixteen characters' } },
  incident: { title: 'other', text: 'other', severity: 'major', models: ['other'], start_time: 2, end_time: 9 },
};

/** Fields that a change must include unchanged. */
const needed: Readonly<Record<string, object>> = {
  // Changing the base URL requires the key that will be sent there.
  channel: { key: 'sk-x' },
  modelAlias: { model: 'm' },
  logExport: { name: 'as it was', enabled: true, settings: { folder: 'x' } },
  organizationMember: { role: 'member' },
  alertReceiver: { name: 'as it was', language: 'en', settings: {} },
  incident: { title: 'as it was', text: 'as it was', severity: 'minor', start_time: 1 },
};

/** Excluded: quotas have their own check, passwords are never read, and the limits of a policy have a test below. */
const unread = new Set(['id', 'password', 'policy', 'quota_was', 'remain_quota_was', 'remain_quota']);
/** Excluded: a user's quota, the ID of a member, and a token's project, which must belong to the same organization. */
const unreadOf: readonly string[] = ['user.quota', 'organizationMember.user_id', 'organizationToken.project_id'];
const isUnread = (name: string, field: string) => unread.has(field) || unreadOf.includes(`${name}.${field}`);

/** An alert rule is sent and stored as a whole. */
const { alertRule: _whole, ...inParts } = samples;

describe.each(Object.entries(inParts))('[A56.3] the ETag of %s', (name, sample) => {
  const fields = Object.keys(sample.change.body?.shape ?? {}).filter((field) => !isUnread(name, field));

  test('the ETag covers every editable field', () => {
    expect(Object.keys(others[name] ?? {}).sort()).toEqual(fields.sort());
  });

  test.each(Object.keys(others[name] ?? {}))('the ETag changes when %s changes', async (field) => {
    const scene = await sample.make();
    const { pattern } = dataOf(await readSample(scene, sample)) as { pattern?: string };
    const same = { ...needed[name], ...(pattern !== undefined && { pattern }) };
    const before = etagOf(await changeSample(scene, sample, same));
    expect(etagOf(await changeSample(scene, sample, same, before))).toBe(before);
    const after = etagOf(await changeSample(scene, sample, { ...same, [field]: others[name]?.[field] }, before));
    expect(after).not.toBe(before);
    expect(etagOf(await readSample(scene, sample))).toBe(after);
    expect((await changeSample(scene, sample, same, before)).status).toBe(412);
  });
});

describe('[A56.3] limits and budgets in the form of a token or user', () => {
  const policies = { day: 500, month: 900, requests_per_minute: 5, tokens_per_minute: 50, requests_under_way: 2 };

  test.each([
    ['a user', samples.user],
    ['a token', { ...samples.token, make: async () => rootToken() }],
  ] as const)('a change based on limits that were changed since is rejected: %s', async (_, sample) => {
    const scene = await sample.make();
    for (const [name, amount] of Object.entries(policies)) {
      const before = etagOf(await readSample(scene, sample));
      const after = etagOf(await changeSample(scene, sample, { policy: { [name]: amount } }, before));
      expect(after, name).not.toBe(before);
      const stale = await changeSample(scene, sample, { policy: { [name]: amount + 1 } }, before);
      expect(stale.status, name).toBe(412);
      expect(etagOf(await readSample(scene, sample)), name).toBe(after);
    }
  });
});

/** Only admins may set rate limits. */
async function rootToken() {
  const { client } = await samples.user.make();
  return { client, id: (await client.call(tokenApi.create, { body: { name: 'mine', remain_quota: 5 } })).id };
}
