import { completion, reply } from '@headgate/testkit';
import { afterAll, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const scenes: Awaited<ReturnType<typeof relayFixture>>[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

const usage = { input_tokens: 428, output_tokens: 120, total_tokens: 548 };
const sealed = { id: 'cmp_1', type: 'compaction', encrypted_content: 'c2VhbA==' };
const userMessage = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] };
const compacted = { id: 'resp_c1', object: 'response.compaction', created_at: 1, output: [userMessage, sealed], usage };

async function sceneOf(type: number, respond = reply(compacted)) {
  const scene = await relayFixture(app, { upstreams: [respond], channel: { type }, quota: 10_000_000 });
  scenes.push(scene);
  return scene;
}

/** Request of Codex. */
const requestBody = {
  model: 'gpt-4o',
  input: [userMessage, { type: 'compaction', encrypted_content: 'ZWFybGllcg==' }],
  instructions: 'Be brief',
  tools: [],
  parallel_tool_calls: true,
};

test.each([1, 45])('compacts a conversation on a channel of type %i and charges it', async (type) => {
  const scene = await sceneOf(type);
  const response = await scene.post('/v1/responses/compact', requestBody);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual(compacted);
  expect(scene.upstreams[0]?.received).toMatchObject([{ path: '/v1/responses/compact', body: requestBody }]);
  const { logs, drift } = await scene.books();
  expect(logs).toMatchObject([{ type: 2, prompt_tokens: 428, completion_tokens: 120 }]);
  expect(JSON.parse(logs[0]?.detail ?? '')).toMatchObject({ dialect: 'openai-responses' });
  expect(drift).toBe(0);
});

test('rejects compaction if no channel supports it, without calling an upstream or charging', async () => {
  for (const type of [8, 14, 20]) {
    const scene = await sceneOf(type, completion());
    const response = await scene.post('/v1/responses/compact', requestBody);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'not_offered' } });
    expect(scene.upstreams[0]?.received).toEqual([]);
    expect((await scene.books()).user.used_quota).toBe(0);
  }
});

test('sends compacted items back unchanged to the provider that created them', async () => {
  const scene = await sceneOf(
    1,
    reply({ id: 'resp_1', object: 'response', status: 'completed', output: [userMessage], usage }),
  );
  const input = [...compacted.output, { ...userMessage, content: [{ type: 'input_text', text: 'Go on' }] }];
  expect((await scene.post('/v1/responses', { model: 'gpt-4o', input, store: false })).status).toBe(200);
  expect(scene.upstreams[0]?.received[0]?.body).toMatchObject({ input });
});

test('compacts a previous response without input', async () => {
  const scene = await sceneOf(1, (response, request) => {
    const made = { id: 'resp_k1', object: 'response', status: 'completed', output: [], usage };
    const output = [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] }];
    return reply(request.path.endsWith('/compact') ? compacted : { ...made, output })(response, request);
  });
  const first = await scene.post('/v1/responses', { model: 'gpt-4o', input: 'hi' });
  const { id } = (await first.json()) as { id: string };
  const response = await scene.post('/v1/responses/compact', { model: 'gpt-4o', previous_response_id: id });
  expect(response.status).toBe(200);
  expect((await scene.post('/v1/responses/compact', { model: 'gpt-4o' })).status).toBe(400);
});
