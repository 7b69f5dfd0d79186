import { routingApi } from '@headgate/contract';
import { type ReceivedRequest, reply, type UpstreamHandler } from '@headgate/testkit';
import { afterAll, expect, test } from 'vitest';
import { storingUpstream, upstreamResponseFixtures } from '../../testing/relay/upstream-response-fixtures.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { RetryTimes: '2' } });
const scenes = upstreamResponseFixtures(app);
afterAll(() => scenes.close());

const down = reply({ error: { message: 'no room' } }, 500);
const keeps = storingUpstream();
/** Serves every model except the one in the first request. */
const withoutFirst: UpstreamHandler = (response, request) =>
  (request.body['model'] === 'gpt-4o' ? down : keeps)(response, request);

async function chained(model = 'gpt-4o', fallbacks = 'gpt-3.5-turbo') {
  const scene = await scenes.open();
  const { group, admin, first, second } = scene;
  await admin.call(routingApi.createRule, { body: { group, model, fallbacks } });
  const models = () =>
    [first, second].map((one) => (one?.received ?? []).map(({ body }: ReceivedRequest) => body['model']));
  const fail = () => {
    for (const one of [first, second]) if (one) one.handler = withoutFirst;
  };
  return { ...scene, models, fail };
}

test('[A53.1] does not use fallback models when continuing from a stored response', async () => {
  const { ask, fail, models } = await chained();
  const { id } = (await ask()).body;
  fail();
  expect((await ask()).status).toBe(200);
  expect(models()).toEqual([['gpt-4o', 'gpt-4o', 'gpt-3.5-turbo'], ['gpt-4o']]);
  const failed = await ask({ previous_response_id: id });
  expect(failed).toMatchObject({
    status: 500,
    body: { error: { message: expect.stringContaining(`no other channel can continue ${id}`) } },
  });
  expect(models()).toEqual([['gpt-4o', 'gpt-4o', 'gpt-3.5-turbo', 'gpt-4o'], ['gpt-4o']]);
});

test('[A53.1] does not use fallback models when referring to stored items', async () => {
  const { ask, fail, models } = await chained();
  const { id } = (await ask()).body;
  fail();
  const item = { type: 'item_reference', id: id.replace('resp_', 'msg_') };
  expect((await ask({ input: [item, { role: 'user', content: 'and now?' }] })).status).toBe(500);
  expect(models()).toEqual([['gpt-4o', 'gpt-4o'], []]);
});

test('[A53.1] does not use a fallback for an unknown model when continuing from a stored response', async () => {
  const { ask, models } = await chained('retired', 'gpt-4o');
  expect((await ask({ model: 'retired' })).status).toBe(200);
  const { id } = (await ask()).body;
  expect(await ask({ model: 'retired', previous_response_id: id })).toMatchObject({ status: 404 });
  expect(models()).toEqual([['gpt-4o', 'gpt-4o'], []]);
});
