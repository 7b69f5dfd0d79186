import { setTimeout as sleep } from 'node:timers/promises';
import { type Input, limitRuleApi, routingApi } from '@headgate/contract';
import {
  completion,
  done,
  reply,
  roleChunk,
  StubUpstream,
  stop,
  stream,
  textChunk,
  type UpstreamHandler,
} from '@headgate/testkit';
import { expect, test } from 'vitest';
import { createChannel, relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { RetryTimes: '0' } });

const down = reply({ error: { message: 'down' } }, 500);

/** gpt-4o fails, and the fallback models serve the request. */
async function chained(fallbacks = 'gpt-4o-mini') {
  const scene = await relayFixture(app, { upstreams: [down], channel: { models: 'gpt-4o' } });
  const serving = await StubUpstream.start(completion());
  await createChannel(scene.admin, scene.group, serving.url, { models: 'gpt-4o-mini,gpt-3.5-turbo' });
  await scene.admin.call(routingApi.createRule, {
    body: { group: scene.group, model: 'gpt-4o', fallbacks },
  });
  const limit = (rule: Input<typeof limitRuleApi.create>['body']) =>
    scene.admin.call(limitRuleApi.create, { body: rule });
  const used = async ({ id }: { readonly id: number }) =>
    (await scene.admin.call(limitRuleApi.get, { params: { id } })).used;
  const close = () => Promise.all([scene.close(), serving.close()]);
  return { ...scene, serving, limit, used, close };
}

test('[A47.1] applies the limits of a fallback model', async () => {
  const { chat, group, serving, limit, close, books } = await chained();
  await limit({ group, model: 'gpt-4o-mini', measure: 'requests_per_minute', amount: 2 });
  const statuses: number[] = [];
  for (let turn = 0; turn < 4; turn += 1) statuses.push((await chat({ max_tokens: 10 })).status);
  expect(statuses).toEqual([200, 200, 500, 500]);
  expect(serving.received).toHaveLength(2);
  expect((await books()).drift).toBe(0);
  await close();
});

test('[A47.1] uses the next fallback model if one has reached its limit', async () => {
  const { chat, group, serving, limit, close } = await chained('gpt-4o-mini,gpt-3.5-turbo');
  await limit({ group, model: 'gpt-4o-mini', measure: 'requests_per_minute', amount: 1 });
  for (const model of ['gpt-4o-mini', 'gpt-3.5-turbo'])
    expect((await chat({ max_tokens: 10 })).headers.get('x-headgate-model')).toBe(model);
  expect(serving.received.map(({ body }) => body['model'])).toEqual(['gpt-4o-mini', 'gpt-3.5-turbo']);
  await close();
});

test('[A47.1] counts a request once for rules that cover both models, and its tokens for the model that served it', async () => {
  const { chat, user, group, limit, used, close, books } = await chained('gone,gpt-4o-mini');
  const inFlight = await limit({ user_id: user.id, measure: 'requests_under_way', amount: 1 });
  const both = await limit({ user_id: user.id, measure: 'requests_per_minute', amount: 10 });
  const ofBoth = await limit({ user_id: user.id, measure: 'tokens_per_minute', amount: 10_000 });
  const ofAsked = await limit({ group, model: 'gpt-4o', measure: 'tokens_per_minute', amount: 10_000 });
  const ofServed = await limit({ group, model: 'gpt-4o-mini', measure: 'tokens_per_minute', amount: 10_000 });
  for (let turn = 0; turn < 3; turn += 1) {
    const response = await chat({ max_tokens: 10 });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-ratelimit-remaining-requests')).toBe(String(9 - turn));
  }
  const { logs } = await books();
  const tokens = logs.reduce((sum, { prompt_tokens, completion_tokens }) => sum + prompt_tokens + completion_tokens, 0);
  await expect.poll(() => used(inFlight)).toBe(0);
  expect([await used(both), await used(ofBoth), await used(ofAsked), await used(ofServed)]).toEqual([
    3,
    tokens,
    0,
    tokens,
  ]);
  await close();
});

const words = Array.from({ length: 1000 }, () => textChunk('some more words '));

test('[A47.2] ends a stream without a token limit at the cost limit per request', async () => {
  const scene = await relayFixture(app, { upstreams: [stream([roleChunk, ...words, stop, done])] });
  const amount = 6000;
  await scene.admin.call(limitRuleApi.create, {
    body: { group: scene.group, measure: 'cost_per_request', amount },
  });
  const response = await scene.chat({ stream: true });
  expect(response.status).toBe(200);
  const text = await response.text();
  expect(text).toContain('cost_limit_reached');
  expect(text).not.toContain('[DONE]');
  const { logs, user, drift } = await scene.books();
  expect(logs).toMatchObject([{ quota: user.used_quota }]);
  expect(user.used_quota).toBeLessThanOrEqual(amount);
  expect(user.used_quota).toBeGreaterThan(amount * 0.8);
  expect(drift).toBe(0);
  await scene.close();
});

test('[A47.2] does not use a fallback model above the cost limit per request', async () => {
  const { chat, group, serving, limit, close } = await chained();
  await limit({ group, model: 'gpt-4o-mini', measure: 'cost_per_request', amount: 1 });
  expect((await chat({ max_tokens: 1000 })).status).toBe(500);
  expect(serving.received).toEqual([]);
  await close();
});

test('[A47.1] does not hedge a request to which a limit applies', async () => {
  const gate = Promise.withResolvers<void>();
  const silent: UpstreamHandler = async (response, request) => {
    await gate.promise;
    await completion()(response, request);
  };
  const scene = await relayFixture(app, { upstreams: [silent, completion()] });
  await scene.admin.call(routingApi.createRule, { body: { group: scene.group, hedge_ms: 50 } });
  const { id } = await scene.admin.call(limitRuleApi.create, {
    body: { user_id: scene.user.id, measure: 'requests_per_minute', amount: 100 },
  });
  const running = scene.chat({ max_tokens: 10 });
  await expect.poll(() => scene.upstreams[0]?.received.length).toBe(1);
  // Much longer than the hedge delay.
  await sleep(400);
  expect(scene.upstreams.map(({ received }) => received.length)).toEqual([1, 0]);
  // Without the limit, the request is hedged.
  await scene.admin.call(limitRuleApi.remove, { params: { id } });
  expect((await scene.chat({ max_tokens: 10 })).status).toBe(200);
  expect(scene.upstreams.map(({ received }) => received.length)).toEqual([2, 1]);
  gate.resolve();
  expect((await running).status).toBe(200);
  await scene.close();
});
