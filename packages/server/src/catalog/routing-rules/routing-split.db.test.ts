import { channelApi, optionApi, routingApi } from '@headgate/contract';
import { completion, reply } from '@headgate/testkit';
import { afterAll, expect, test } from 'vitest';
import { createChannel, relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const quota = 1_000_000_000;
const closing: { close: () => Promise<unknown> }[] = [];
afterAll(() => Promise.all(closing.map((scene) => scene.close())));

/** The requested model is served by the first upstream, the other model by the second. */
async function splitScene(split: object, other = completion()) {
  const scene = await relayFixture(app, { upstreams: [completion()], channel: { models: 'gpt-4o' }, quota });
  const second = await relayFixture(app, { upstreams: [other], group: `${scene.group}x` });
  closing.push(scene, second);
  await createChannel(scene.admin, scene.group, second.upstreams[0]?.url ?? '', { models: 'gpt-4o-mini' });
  const rule = await scene.admin.call(routingApi.createRule, {
    body: { group: scene.group, model: 'gpt-4o', split_model: 'gpt-4o-mini', ...split },
  });
  const converse = (id: number) => scene.chat({ messages: [{ role: 'user', content: `conversation ${id}` }] });
  return { ...scene, rule, converse };
}

test('a split sends its share of the conversations to the other model, at the price of the requested model', async () => {
  const { converse, books } = await splitScene({ split_percent: 30 });
  const served = async (id: number) => {
    const response = await converse(id);
    expect(response.status).toBe(200);
    return response.headers.get('x-headgate-model') ?? 'gpt-4o';
  };
  const everyConversation = async () => {
    const models: string[] = [];
    for (let id = 0; id < 100; id += 1) models.push(await served(id));
    return models;
  };
  const first = await everyConversation();
  const others = first.filter((model) => model === 'gpt-4o-mini').length;
  expect(others).toBeGreaterThan(15);
  expect(others).toBeLessThan(45);
  // Every request of a conversation is served by the same model.
  expect(await everyConversation()).toEqual(first);
  const { logs, drift } = await books();
  expect(new Set(logs.map(({ quota }) => quota)).size).toBe(1);
  expect(logs.filter(({ model_name }) => model_name === 'gpt-4o-mini')).toHaveLength(2 * others);
  const detail = logs.find(({ model_name }) => model_name === 'gpt-4o-mini')?.detail;
  expect(JSON.parse(String(detail))).toMatchObject({ asked_model: 'gpt-4o' });
  expect(logs).toHaveLength(200);
  expect(drift).toBe(0);
});

test('a split can charge the price of the other model', async () => {
  const { converse, books, rule, admin } = await splitScene({ split_percent: 100 });
  await converse(1);
  await admin.call(routingApi.updateRule, { body: { id: rule.id, split_own_price: true } });
  await converse(1);
  const { logs, drift } = await books();
  const [atRequested, atOwn] = logs.map(({ quota }) => quota);
  expect(atOwn).toBeLessThan(Number(atRequested));
  expect(drift).toBe(0);
});

test('if the other model fails, the requested model serves the request and is charged once', async () => {
  const down = reply({ error: { message: 'down' } }, 500);
  const { converse, books } = await splitScene({ split_percent: 100 }, down);
  expect((await converse(1)).status).toBe(200);
  const { logs, drift, user } = await books();
  expect(logs.map(({ model_name }) => model_name)).toEqual(['gpt-4o']);
  expect(user.used_quota).toBe(logs[0]?.quota);
  expect(drift).toBe(0);
});

test("a split does not send requests to models outside the token's model list", async () => {
  const scene = await splitScene({ split_percent: 100 });
  const { token } = await relayFixture(app, { group: scene.group, token: { models: 'gpt-4o' } });
  const response = await scene.chat(
    {},
    { headers: { authorization: `Bearer sk-${token.key}`, 'content-type': 'application/json' } },
  );
  expect(response.headers.get('x-headgate-model')).not.toBe('gpt-4o-mini');
});

/** Both upstreams serve the requested model; the second belongs to a channel with the tag `canary`. */
async function tagScene(split: object, canary = completion()) {
  const scene = await relayFixture(app, { upstreams: [completion(), canary], channel: { models: 'gpt-4o' }, quota });
  closing.push(scene);
  const [, second] = await scene.admin.call(channelApi.list, {
    query: { group: scene.group, sort: 'id', direction: 'asc' },
  });
  await scene.admin.call(channelApi.update, { body: { id: second?.id ?? 0, tag: 'canary' } });
  const body = { group: scene.group, model: 'gpt-4o', split_tag: 'canary', ...split };
  await scene.admin.call(routingApi.createRule, { body });
  const converse = (id: number) => scene.chat({ messages: [{ role: 'user', content: `conversation ${id}` }] });
  const received = () => scene.upstreams.map(({ received: all }) => all.length);
  return { ...scene, converse, received };
}

test('a split can send its share to the channels with a tag, which other conversations avoid', async () => {
  const { converse, received, books } = await tagScene({ split_percent: 30 });
  for (let id = 0; id < 60; id += 1) expect((await converse(id)).status).toBe(200);
  const [stable = 0, canary = 0] = received();
  expect(stable + canary).toBe(60);
  expect(canary).toBeGreaterThan(6);
  expect(canary).toBeLessThan(32);
  // Every request of a conversation is served by the same channels.
  for (let id = 0; id < 60; id += 1) await converse(id);
  expect(received()).toEqual([2 * stable, 2 * canary]);
  const { logs, drift } = await books();
  expect([logs.length, new Set(logs.map(({ model_name }) => model_name)).size, drift]).toEqual([120, 1, 0]);
});

test('other channels serve the share if the channels with the tag fail or do not exist', async () => {
  const down = reply({ error: { message: 'down' } }, 500);
  const failing = await tagScene({ split_percent: 100 }, down);
  await failing.admin.call(optionApi.update, { body: { key: 'RetryTimes', value: '1' } });
  expect((await failing.converse(1)).status).toBe(200);
  expect(failing.received()).toEqual([1, 1]);
  const missing = await tagScene({ split_percent: 100, split_tag: 'none' });
  expect((await missing.converse(1)).status).toBe(200);
});
