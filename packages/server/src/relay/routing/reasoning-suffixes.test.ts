import { optionApi, routingApi, tokenApi } from '@headgate/contract';
import { completion } from '@headgate/testkit';
import { afterAll, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const root = await app.as('root');
const setOption = (key: 'ReasoningSuffixesEnabled' | 'ReasoningSuffixListEnabled', value: string) =>
  root.call(optionApi.update, { body: { key, value } });
const fixture = await relayFixture(app, {
  upstreams: [completion()],
  channel: { type: 1, models: 'gpt-5,gpt-4o,gpt-4o-high' },
  token: { models: 'gpt-5' },
});
afterAll(() => fixture.close());
await setOption('ReasoningSuffixesEnabled', 'true');

const lastBody = () => fixture.upstreams[0]?.received.at(-1)?.body;

test("serves a name with a reasoning suffix using its base model, at the base model's price, for tokens that may use the base model", async () => {
  expect((await fixture.chat({ model: 'gpt-5' })).status).toBe(200);
  const response = await fixture.chat({ model: 'gpt-5-high', reasoning_effort: 'low' });
  expect(response.status).toBe(200);
  expect(lastBody()).toMatchObject({ model: 'gpt-5', reasoning_effort: 'high' });
  expect(response.headers.get('x-headgate-model')).toBe('gpt-5');
  const { logs, user } = await fixture.books();
  const [plain, suffixed] = logs;
  expect(suffixed).toMatchObject({ model_name: 'gpt-5', quota: plain?.quota });
  expect(JSON.parse(String(suffixed?.detail))).toMatchObject({ asked_model: 'gpt-5-high' });
  expect(user.quota + user.used_quota).toBe(1_000_000);
});

test('rejects a suffix for a model that the token may not use, or that has no reasoning levels', async () => {
  expect((await fixture.chat({ model: 'gpt-4o-low' })).status).toBe(403);
  await withoutModelList(async () => {
    const response = await fixture.chat({ model: 'gpt-4o-low' });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('gpt-4o has no reasoning levels');
    // A model with the full name takes precedence over a suffix.
    expect((await fixture.chat({ model: 'gpt-4o-high' })).status).toBe(200);
    expect(lastBody()).toMatchObject({ model: 'gpt-4o-high' });
    expect(lastBody()).not.toHaveProperty('reasoning_effort');
  });
});

test('lists names with suffixes only while their option is on, and explains them', async () => {
  expect(await listedNames()).toEqual(['gpt-5']);
  await setOption('ReasoningSuffixListEnabled', 'true');
  expect(await listedNames()).toEqual(['gpt-5', 'gpt-5-minimal', 'gpt-5-low', 'gpt-5-medium', 'gpt-5-high']);
  const explained = await fixture.admin.call(routingApi.explain, {
    body: { group: fixture.group, model: 'gpt-5-low', prompt_tokens: 0 },
  });
  expect(explained).toMatchObject({ model: 'gpt-5', reasoning: { effort: 'low' } });
  await setOption('ReasoningSuffixListEnabled', 'false');
});

async function listedNames() {
  const response = await fetch(`${app.url}/v1/models`, {
    headers: { authorization: `Bearer sk-${fixture.token.key}` },
  });
  const { data } = (await response.json()) as { data: { id: string }[] };
  return data.map(({ id }) => id);
}

async function withoutModelList(work: () => Promise<void>) {
  const update = (models: string) =>
    fixture.client.call(tokenApi.update, { query: {}, body: { id: fixture.token.id, models } });
  await update('');
  await work();
  await update('gpt-5');
}
