import { channelApi, logApi, logType, optionApi, routingApi } from '@headgate/contract';
import { completion, reply } from '@headgate/testkit';
import { afterAll, expect, test } from 'vitest';
import { createChannel, relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

let statements: string[] = [];
const app = await useTestApp({ onStatement: ({ query }) => statements.push(query.sql) });
const admin = await app.as('admin');
const root = await app.as('root');
await root.call(optionApi.update, { body: { key: 'RetryTimes', value: '0' } });
const closing: { close: () => Promise<unknown> }[] = [];
afterAll(() => Promise.all(closing.map((scene) => scene.close())));

async function scene(options: Parameters<typeof relayFixture>[1]) {
  const made = await relayFixture(app, options);
  closing.push(made);
  return made;
}

const down = reply({ error: { message: 'down' } }, 500);
const makeRule = (body: object) => admin.call(routingApi.createRule, { body: body });
const changesIn = async () => {
  const rows = await admin.call(logApi.list, { query: { type: String(logType.management) } });
  return rows.map(({ content }) => content);
};

test('rules are created, changed and deleted, and each change is logged with old and new values', async () => {
  const rule = await makeRule({ group: 'vip', model: 'gpt-*', strategy: 'cheapest', fallbacks: 'a, b ,a' });
  expect(rule).toMatchObject({ fits_window: true, affinity: 'off', hedge_ms: 0, fallbacks: 'a,b' });
  const changed = await admin.call(routingApi.updateRule, {
    body: { id: rule.id, strategy: 'quickest', affinity: 'user', fallbacks: 'b' },
  });
  expect(changed).toMatchObject({ strategy: 'quickest', affinity: 'user', fallbacks: 'b', model: 'gpt-*' });
  expect(await admin.call(routingApi.rules)).toEqual([changed]);
  await admin.call(routingApi.removeRule, { params: { id: rule.id } });
  expect(await admin.call(routingApi.rules)).toEqual([]);
  expect((await changesIn()).slice(0, 3)).toEqual([
    expect.stringContaining('deleted the routing rule for vip / gpt-*: strategy quickest'),
    expect.stringContaining(
      'changed the routing rule for vip / gpt-*: strategy cheapest → quickest; affinity off → user; fallbacks −a',
    ),
    expect.stringContaining('created a routing rule for vip / gpt-*: strategy cheapest'),
  ]);
});

test('rejects a second rule for a group and model, and a second target for an alias', async () => {
  const rule = await makeRule({ group: 'once' });
  await expect(makeRule({ group: 'once' })).rejects.toThrow('A rule for this group and model already exists');
  await admin.call(routingApi.removeRule, { params: { id: rule.id } });
  const body = { pattern: 'twice', model: 'gpt-4o' };
  const alias = await admin.call(routingApi.createAlias, { body });
  await expect(admin.call(routingApi.createAlias, { body })).rejects.toThrow('This alias already exists');
  await admin.call(routingApi.removeAlias, { params: { id: alias.id } });
});

test.each([
  ['two wildcards', { model: 'a*b*' }],
  ['a comma', { model: 'a,b' }],
  ['a null character', { group: 'a\0' }],
  ['a name that is too long', { model: 'x'.repeat(101) }],
  ['an unknown strategy', { strategy: 'random' }],
  ['an inherited property as the strategy', { strategy: 'constructor' }],
  ['a hedge delay that is too short', { hedge_ms: 1 }],
  ['a fractional hedge delay', { hedge_ms: 100.5 }],
  ['a pattern as a fallback', { fallbacks: 'gpt-*' }],
  ['six fallbacks', { fallbacks: 'a,b,c,d,e,f' }],
])('[A40.3] rejects a rule with %s', async (_, body) => {
  await expect(makeRule(body)).rejects.toThrow();
  expect(await admin.call(routingApi.rules)).toEqual([]);
});

test('[A40.3] rejects an alias with a wildcard only in the target, and an empty name', async () => {
  for (const body of [
    { pattern: 'plain', model: 'gpt-*' },
    { pattern: '', model: 'gpt-4o' },
    { pattern: 'a**', model: 'gpt-4o' },
  ])
    await expect(admin.call(routingApi.createAlias, { body })).rejects.toThrow();
});

test('[A40.2] the fallback model serves the request, is charged, and is named in the response header and the log', async () => {
  const { chat, group, upstreams, books } = await scene({ upstreams: [down], channel: { models: 'gpt-4o' } });
  const other = await scene({ upstreams: [completion()], channel: { models: 'none' } });
  const [serving] = other.upstreams;
  await createChannel(admin, group, serving?.url ?? '', { models: 'gpt-4o-mini' });
  const rule = await makeRule({ group, model: 'gpt-4o', fallbacks: 'gpt-4o-mini' });
  statements = [];
  const response = await chat();
  expect(response.status).toBe(200);
  expect(response.headers.get('x-headgate-model')).toBe('gpt-4o-mini');
  await response.text();
  expect(statements.filter((sql) => sql.includes('routing_rules') || sql.includes('model_aliases'))).toEqual([]);
  expect(upstreams[0]?.received).toHaveLength(1);
  const { logs } = (await books()) as unknown as { logs: { model_name: string; detail: string; quota: number }[] };
  expect(logs).toMatchObject([{ model_name: 'gpt-4o-mini' }]);
  expect(JSON.parse(logs[0]?.detail ?? '')).toMatchObject({ asked_model: 'gpt-4o', attempts: [{ status: 500 }] });
  await admin.call(routingApi.removeRule, { params: { id: rule.id } });
});

test('[A40.2] a token that may not use the fallback model is not served by it', async () => {
  const { chat, group } = await scene({
    upstreams: [down],
    channel: { models: 'gpt-4o' },
    token: { models: 'gpt-4o' },
  });
  const other = await scene({ upstreams: [completion()], channel: { models: 'none' } });
  const [serving] = other.upstreams;
  await createChannel(admin, group, serving?.url ?? '', { models: 'gpt-4o-mini' });
  const rule = await makeRule({ group, fallbacks: 'gpt-4o-mini' });
  expect((await chat()).status).toBe(500);
  expect(serving?.received).toEqual([]);
  await admin.call(routingApi.removeRule, { params: { id: rule.id } });
});

test('[A47.12] a fallback chain that leads back to its own model tries each model once', async () => {
  const { chat, group, upstreams } = await scene({ upstreams: [down], channel: { models: 'gpt-4o,gpt-4o-mini' } });
  const rules = [
    await makeRule({ group, model: 'gpt-*', fallbacks: 'gpt-4o,gpt-4o-mini' }),
    await makeRule({ group, model: 'gpt-4o-mini', fallbacks: 'gpt-4o' }),
  ];
  expect((await chat()).status).toBe(500);
  expect(upstreams[0]?.received.map(({ body }) => body['model'])).toEqual(['gpt-4o', 'gpt-4o-mini']);
  for (const { id } of rules) await admin.call(routingApi.removeRule, { params: { id } });
});

test('a model without a channel is served by its fallback', async () => {
  const { chat, group } = await scene({ upstreams: [completion()], channel: { models: 'gpt-4o' } });
  expect((await chat({ model: 'gone' })).status).toBe(404);
  const rule = await makeRule({ group, model: 'gone', fallbacks: 'gpt-4o' });
  const response = await chat({ model: 'gone' });
  expect([response.status, response.headers.get('x-headgate-model')]).toEqual([200, 'gpt-4o']);
  await admin.call(routingApi.removeRule, { params: { id: rule.id } });
  expect((await chat({ model: 'gone' })).status).toBe(404);
});

test('an alias with a wildcard maps to its target, and only aliases without one are listed', async () => {
  const { chat, upstreams, token, books } = await scene({ upstreams: [completion()], channel: { models: 'gpt-4o' } });
  const pattern = await admin.call(routingApi.createAlias, { body: { pattern: 'openai/*', model: '*' } });
  const exact = await admin.call(routingApi.createAlias, { body: { pattern: 'our-best', model: 'gpt-4o' } });
  for (const model of ['openai/gpt-4o', 'our-best']) {
    const response = await chat({ model });
    expect([response.status, response.headers.get('x-headgate-model')]).toEqual([200, 'gpt-4o']);
    await response.text();
  }
  expect(upstreams[0]?.received.map(({ body }) => body['model'])).toEqual(['gpt-4o', 'gpt-4o']);
  const { logs } = (await books()) as unknown as { logs: { model_name: string; detail: string }[] };
  expect(logs.map(({ model_name, detail }) => [model_name, JSON.parse(detail).asked_model]).sort()).toEqual([
    ['gpt-4o', 'openai/gpt-4o'],
    ['gpt-4o', 'our-best'],
  ]);
  const listed = await fetch(`${app.url}/v1/models`, { headers: { authorization: `Bearer sk-${token.key}` } });
  const { data } = (await listed.json()) as { data: { id: string }[] };
  expect(data.map(({ id }) => id)).toEqual(['gpt-4o', 'our-best']);
  for (const { id } of [pattern, exact]) await admin.call(routingApi.removeAlias, { params: { id } });
  expect((await chat({ model: 'our-best' })).status).toBe(404);
});

test('[A40.2] a token with a model list may use an alias if the alias or its target is allowed', async () => {
  const { chat } = await scene({
    upstreams: [completion()],
    channel: { models: 'gpt-4o,gpt-3.5-turbo' },
    token: { models: 'gpt-4o' },
  });
  const made = [
    await admin.call(routingApi.createAlias, { body: { pattern: 'fine', model: 'gpt-4o' } }),
    await admin.call(routingApi.createAlias, { body: { pattern: 'not-mine', model: 'gpt-3.5-turbo' } }),
  ];
  expect((await chat({ model: 'fine' })).status).toBe(200);
  expect((await chat({ model: 'not-mine' })).status).toBe(403);
  for (const { id } of made) await admin.call(routingApi.removeAlias, { params: { id } });
});

test('the most specific rule and alias are applied, regardless of the order of creation', async () => {
  const { group, chat } = await scene({ upstreams: [completion()], channel: { models: 'gpt-4o,gpt-4o-mini' } });
  const rules = [];
  for (const model of ['', 'gpt-4o', 'gpt-*', 'gpt-4o*', '*o'])
    rules.push(await makeRule({ group, model, strategy: 'least_busy' }));
  rules.push(await makeRule({ model: 'gpt-4o-mini' }));
  const found = async (model: string) => {
    const { rule } = await admin.call(routingApi.explain, { body: { group, model } });
    return [rule?.group, rule?.model];
  };
  expect(await found('gpt-4o')).toEqual([group, 'gpt-4o']);
  expect(await found('gpt-4o-2024')).toEqual([group, 'gpt-4o*']);
  expect(await found('gpt-5')).toEqual([group, 'gpt-*']);
  expect(await found('foo')).toEqual([group, '*o']);
  expect(await found('claude')).toEqual([group, '']);
  // An exact name wins over every pattern.
  expect((await found('gpt-4o-mini'))[1]).toBe('gpt-4o-mini');
  const names = [];
  for (const [pattern, model] of [
    [`${group}-*`, 'gpt-4o-mini'],
    [`${group}-exact`, 'gpt-4o'],
  ] as const)
    names.push(await admin.call(routingApi.createAlias, { body: { pattern, model } }));
  expect((await chat({ model: `${group}-exact` })).headers.get('x-headgate-model')).toBe('gpt-4o');
  expect((await chat({ model: `${group}-other` })).headers.get('x-headgate-model')).toBe('gpt-4o-mini');
  for (const { id } of rules) await admin.call(routingApi.removeRule, { params: { id } });
  for (const { id } of names) await admin.call(routingApi.removeAlias, { params: { id } });
});

test('shows which channels serve a model, in which order and why, without sending a request', async () => {
  const { group, upstreams, chat } = await scene({ upstreams: [completion(), completion()] });
  const explain = (body: object) => admin.call(routingApi.explain, { body: { group, model: 'gpt-4o', ...body } });
  const plain = await explain({});
  expect(plain).toMatchObject({
    model: 'gpt-4o',
    retry_times: 0,
    steps: [{ channels: [{ reason: 'chosen', share: 1, priority: 2, under_way: 0 }, { reason: 'lower_priority' }] }],
  });
  expect(plain.rule).toBeUndefined();
  const [first = 0] = (await admin.call(channelApi.search, { query: { keyword: group } }))
    .filter(({ priority }) => priority === 2)
    .map(({ id }) => id);
  await admin.call(channelApi.update, { body: { id: first, model_mapping: '{"gpt-4o":"gpt-4"}' } });
  const rule = await makeRule({ group, fallbacks: 'nobody-has-it' });
  const long = await explain({ prompt_tokens: 50_000 });
  expect(long).toMatchObject({ rule: { id: rule.id } });
  expect(long.steps).toMatchObject([
    {
      channels: [
        { reason: 'chosen', context_window: 128_000 },
        { reason: 'window_too_small', context_window: 8192 },
      ],
    },
    { model: 'nobody-has-it', channels: [] },
  ]);
  expect(upstreams.map(({ received }) => received.length)).toEqual([0, 0]);
  expect((await chat({ messages: [{ role: 'user', content: 'word '.repeat(20_000) }] })).status).toBe(200);
  expect(upstreams.map(({ received }) => received.length)).toEqual([0, 1]);
  await admin.call(routingApi.removeRule, { params: { id: rule.id } });
});
