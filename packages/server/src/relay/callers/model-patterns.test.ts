import { limitRuleApi, routingApi, tokenApi } from '@headgate/contract';
import { completion } from '@headgate/testkit';
import { afterAll, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { modelMatcher } from '../limit-counters/limit-table.ts';

const app = await useTestApp();
const scene = await relayFixture(app, { upstreams: [completion()] });
afterAll(() => scene.close());

// Worst case for a backtracking matcher: every star matches anything, and the end never matches.
const stars = (count: number) => `${'*a'.repeat(count)}*b`;
const name = 'a'.repeat(100_000);

test("[A53.2] matches names of any length in linear time against a token's maximum number of wildcards", async () => {
  const { admin, client, group, token, chat } = scene;
  // The fallback rule makes every model available, so the token's model list decides.
  const rule = { group, model: '', fallbacks: 'gpt-4o' };
  const { id } = await admin.call(routingApi.createRule, { body: rule });
  const models = Array.from({ length: 20 }, (_, nth) => `${nth}${stars(490)}`);
  await client.call(tokenApi.update, { query: {}, body: { id: token.id, models: models.join() } });
  for (const model of [name, `0${name}`, `0${name}c`]) {
    const rejected = await chat({ model });
    expect([rejected.status, await rejected.text()]).toEqual([403, expect.stringContaining('model_not_allowed')]);
  }
  const unserved = await chat({ model: `0${name}b` });
  expect([unserved.status, await unserved.text()]).toEqual([404, expect.stringContaining('model_not_found')]);
  await admin.call(routingApi.removeRule, { params: { id } });
  await client.call(tokenApi.update, { query: {}, body: { id: token.id, models: '' } });
});

test('[A53.2] matches names of any length in linear time against a limit rule', async () => {
  const { admin, group, chat } = scene;
  const model = stars(98);
  const body = { group, model, measure: 'requests_per_minute', amount: 1 } as const;
  const { id } = await admin.call(limitRuleApi.create, { body });
  for (let count = 0; count < 3; count += 1) expect((await chat()).status).toBe(200);
  const matches = modelMatcher(model);
  expect([name, `${name}c`, `${name}b`].map(matches)).toEqual([false, false, true]);
  await admin.call(limitRuleApi.remove, { params: { id } });
});
