import { apiTables, optionApi } from '@headgate/contract';
import {
  completion,
  embeddingResponse,
  plainPrice,
  reply,
  roleChunk,
  stop,
  stream,
  textChunk,
  usageEvent,
} from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { rateLimits } from '../../platform/rate-limits/rate-limits.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();

type Scene = Awaited<ReturnType<typeof relayFixture>>;
const scenes: Scene[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

async function sceneOf(options: Parameters<typeof relayFixture>[1]): Promise<Scene> {
  const scene = await relayFixture(app, options);
  scenes.push(scene);
  return scene;
}

const scene = await sceneOf({ upstreams: [completion()], channel: { models: 'gpt-4o,mine' } });
const authorization = `Bearer sk-${scene.token.key}`;
const get = (path: string, headers: Record<string, string> = { authorization }) => fetch(app.url + path, { headers });
const messages = [{ role: 'user', content: 'hi' }];
const linesIn = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('discovery endpoints for Ollama clients', () => {
  test('Ollama discovery endpoints list the models that the token may use, and describe one model', async () => {
    const tags = (await (await get('/api/tags')).json()) as { models: readonly object[] };
    expect(tags.models).toMatchObject([{ name: 'gpt-4o', model: 'gpt-4o', size: 0 }, { name: 'mine' }]);
    const shown = await (await scene.post('/api/show', { model: 'gpt-4o' })).json();
    expect(shown).toMatchObject({
      capabilities: ['completion', 'tools'],
      model_info: { 'general.architecture': 'headgate', 'headgate.context_length': 128_000 },
    });
    const unknown = (await (await scene.post('/api/show', { name: 'mine' })).json()) as { model_info: object };
    expect(unknown.model_info).not.toHaveProperty('headgate.context_length');
    expect(await (await get('/api/version')).json()).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
  });

  test("Ollama discovery endpoints return errors in Ollama's format for an unknown and a missing model", async () => {
    const missing = await scene.post('/api/show', { model: 'nobody' });
    expect([missing.status, await missing.json()]).toEqual([404, { error: expect.stringContaining("'nobody'") }]);
    const none = await scene.post('/api/show', {});
    expect([none.status, await none.json()]).toEqual([400, { error: expect.stringContaining('model must be text') }]);
  });

  test('[A24.15] Ollama discovery endpoints truncate a long model name in errors on every endpoint', async () => {
    const model = 'x'.repeat(200_000);
    const limited = await sceneOf({ upstreams: [completion()], token: { models: 'gpt-4o' } });
    for (const response of [
      await scene.post('/api/show', { model }),
      await scene.post('/api/chat', { model, messages }),
      await scene.post('/v1/chat/completions', { model, messages }),
      await scene.post('/v1/messages/count_tokens', { model, messages }),
      await limited.post('/v1/chat/completions', { model, messages }),
    ]) {
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect((await response.text()).length).toBeLessThan(500);
    }
  });

  test('[A1.5] Ollama discovery requests count against the concurrency limit', async () => {
    const running = await sceneOf({ upstreams: [stream([roleChunk, textChunk('Hel')], 'stall')] });
    await running.admin.call(optionApi.update, { body: { key: 'TokenConcurrencyLimit', value: '1' } });
    const leaving = new AbortController();
    const chat = await running.chat({ stream: true, max_tokens: 5 }, { signal: leaving.signal });
    const show = async () => {
      const response = await running.post('/api/show', { model: 'gpt-4o' });
      await response.arrayBuffer();
      return response.status;
    };
    expect([chat.status, await show()]).toEqual([200, 429]);
    leaving.abort();
    await expect.poll(show).toBe(200);
    expect(await show()).toBe(200);
    await running.admin.call(optionApi.update, { body: { key: 'TokenConcurrencyLimit', value: '100' } });
  });

  test.each(['/api/tags', '/api/version'])('[A28.4] %s returns 401 without a token', async (path) => {
    const response = await get(path, {});
    expect([response.status, await response.json()]).toEqual([401, { error: expect.stringContaining('No API token') }]);
  });
});

describe('Ollama chat', () => {
  test('streams JSON lines by default and logs the dialect', async () => {
    const streaming = await sceneOf({
      upstreams: [stream([roleChunk, textChunk('Hel'), textChunk('lo'), stop, usageEvent])],
    });
    const response = await streaming.post('/api/chat', { model: 'gpt-4o', messages });
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    const created_at = expect.any(String);
    const line = { model: 'gpt-4o', created_at, done: false };
    expect(linesIn(await response.text())).toEqual([
      { ...line, message: { role: 'assistant', content: 'Hel' } },
      { ...line, message: { role: 'assistant', content: 'lo' } },
      {
        ...line,
        message: { role: 'assistant', content: '' },
        done: true,
        done_reason: 'stop',
        prompt_eval_count: 10,
        eval_count: 5,
      },
    ]);
    const { logs, drift } = await streaming.books();
    expect(logs).toMatchObject([{ is_stream: 1, quota: 75, request_id: response.headers.get('x-request-id') }]);
    expect(JSON.parse(logs[0]?.detail ?? '{}')).toMatchObject({ dialect: 'ollama-chat' });
    expect(drift).toBe(0);
  });

  test('lists ignored options in the header', async () => {
    const options = { num_ctx: 9000, temperature: 0.5 };
    const response = await scene.post('/api/chat', { model: 'gpt-4o', messages, options, keep_alive: '5m' });
    expect(response.headers.get('x-headgate-ignored')).toBe('num_ctx, keep_alive');
    expect(scene.upstreams[0]?.received.at(-1)?.body).toMatchObject({ temperature: 0.5 });
  });

  test.each([
    ['options.num_predict', { options: { num_predict: 1.5 } }],
    ['options.num_predict', { options: { num_predict: -7 } }],
    ['options', { options: [1] }],
    ['stream', { stream: 'no' }],
    ['think', { think: 'much' }],
    ['messages[0].role', { messages: [{ role: 'pope', content: 'hi' }] }],
    ['messages[0].images[0]', { messages: [{ role: 'user', content: 'hi', images: ['bm8='] }] }],
    ['messages[0].tool_name', { messages: [{ role: 'tool', content: 'sun' }] }],
    ['messages', { messages: 'hi' }],
  ])('[A5.1] rejects an invalid %s by name', async (name, fields) => {
    const response = await scene.post('/api/chat', { model: 'gpt-4o', messages, ...fields });
    expect([response.status, await response.json()]).toEqual([400, { error: expect.stringContaining(name) }]);
  });
});

describe('Ollama generate', () => {
  const question = { model: 'gpt-4o', prompt: 'hi', system: 'Be brief' };

  test('responds with a whole response and with JSON lines', async () => {
    const whole = await scene.post('/api/generate', { ...question, stream: false });
    expect(await whole.json()).toEqual({
      model: 'gpt-4o',
      created_at: expect.any(String),
      response: 'Hello',
      done: true,
      done_reason: 'stop',
      prompt_eval_count: 10,
      eval_count: 5,
    });
    expect(scene.upstreams[0]?.received.at(-1)?.body['messages']).toEqual([
      { role: 'system', content: 'Be brief' },
      { role: 'user', content: 'hi' },
    ]);
    const lines = linesIn(await (await scene.post('/api/generate', question)).text());
    expect(lines.map(({ response, done }) => [response, done])).toEqual([
      ['Hello', false],
      ['', true],
    ]);
    const { logs } = await scene.books();
    expect(JSON.parse(logs.at(-1)?.detail ?? '{}')).toMatchObject({ dialect: 'ollama-generate' });
  });

  test.each([
    ['prompt', { prompt: 7 }],
    ['template', { template: '{{ .Prompt }}' }],
    ['context', { context: [1, 2] }],
    ['raw', { raw: true }],
  ])('rejects and names %s, which has no equivalent in chat', async (name, fields) => {
    const response = await scene.post('/api/generate', { ...question, ...fields });
    expect([response.status, await response.json()]).toEqual([400, { error: expect.stringContaining(name) }]);
  });

  test("replaces the request's system prompt with the channel's", async () => {
    const reported = await sceneOf({ upstreams: [completion()], channel: { system_prompt: 'Be kind' } });
    await reported.post('/api/generate', { ...question, stream: false });
    expect(reported.upstreams[0]?.received[0]?.body['messages']).toMatchObject([
      { content: 'Be kind' },
      { content: 'hi' },
    ]);
  });
});

describe('Ollama fill-in-the-middle', () => {
  const hole = { model: 'gpt-4o', prompt: 'def add(a, b):', suffix: 'print(add(1, 2))' };
  const filled = reply({
    model: 'gpt-4o',
    created: 1_700_000_000,
    choices: [{ index: 0, text: ' return a + b', finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  });

  test.each([
    ['of type OpenAI', 8, '/v1/completions'],
    ['of type Ollama', 30, '/v1/completions'],
  ])('uses the completions endpoint of an upstream %s', async (_name, type, path) => {
    const editor = await sceneOf({ upstreams: [filled], channel: { type } });
    const options = { num_predict: 64, temperature: 0, stop: ['\n'], num_ctx: 9000 };
    const response = await editor.post('/api/generate', { ...hole, options, keep_alive: '5m' });
    expect([response.status, linesIn(await response.text())]).toEqual([
      200,
      [
        {
          model: 'gpt-4o',
          created_at: '2023-11-14T22:13:20.000Z',
          response: ' return a + b',
          done: true,
          done_reason: 'stop',
          prompt_eval_count: 10,
          eval_count: 5,
        },
      ],
    ]);
    const [seen] = editor.upstreams[0]?.received ?? [];
    expect(seen?.path).toBe(path);
    expect(seen?.body).toEqual({ ...hole, max_tokens: 64, temperature: 0, stop: ['\n'], stream: false });
    const { logs, drift } = await editor.books();
    expect([logs.map(({ quota }) => quota), drift]).toEqual([[plainPrice], 0]);
  });

  test('rejects suffix by name if the upstream has no completions endpoint', async () => {
    const claude = await sceneOf({ upstreams: [completion()], channel: { type: 14 } });
    const response = await claude.post('/api/generate', hole);
    expect([response.status, await response.json()]).toEqual([400, { error: expect.stringContaining('suffix') }]);
    expect(claude.upstreams[0]?.received).toEqual([]);
  });

  test.each([
    ['suffix', { suffix: 7 }],
    ['prompt', { prompt: 7 }],
    ['system', { system: 'Be brief' }],
    ['images', { images: ['bm8='] }],
    ['format', { format: 'json' }],
    ['think', { think: true }],
    ['context', { context: [1] }],
    ['options.num_predict', { options: { num_predict: 1.5 } }],
    ['stream', { stream: 'no' }],
  ])('rejects an invalid %s by name', async (name, fields) => {
    const response = await scene.post('/api/generate', { ...hole, ...fields });
    expect([response.status, await response.json()]).toEqual([400, { error: expect.stringContaining(name) }]);
  });

  test('accepts megabytes of text', async () => {
    const editor = await sceneOf({ upstreams: [filled], channel: { type: 8 }, quota: 1_000_000_000 });
    const prompt = 'x = 1\n'.repeat(400_000);
    const response = await editor.post('/api/generate', { ...hole, prompt, options: { num_predict: 10 } });
    expect(response.status).toBe(200);
    expect(editor.upstreams[0]?.received[0]?.body).toMatchObject({ prompt, suffix: hole.suffix, max_tokens: 10 });
  });
});

describe('Ollama requests that only load or unload a model', () => {
  test.each([
    ['chat', 'an empty message list', { messages: [] }, 'load'],
    ['chat', 'no messages', {}, 'load'],
    ['chat', 'keep_alive 0', { messages: [], keep_alive: 0 }, 'unload'],
    ['chat', 'keep_alive 0s', { messages: [], keep_alive: '0s', stream: false }, 'unload'],
    ['generate', 'an empty prompt', { prompt: '', keep_alive: '5m' }, 'load'],
    ['generate', 'no prompt', { system: 'Be brief', stream: true }, 'load'],
    ['generate', 'no prompt, to let it go', { keep_alive: 0 }, 'unload'],
  ])("%s: %s returns Ollama's response without an upstream request or charge", async (name, _title, fields, reason) => {
    const idle = await sceneOf({ upstreams: [completion()] });
    const response = await idle.post(`/api/${name}`, { model: 'gpt-4o', ...fields });
    const words = name === 'chat' ? { message: { role: 'assistant', content: '' } } : { response: '' };
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect([response.status, await response.json()]).toEqual([
      200,
      { model: 'gpt-4o', created_at: expect.any(String), ...words, done: true, done_reason: reason },
    ]);
    expect(idle.upstreams[0]?.received).toEqual([]);
    const { logs, user } = await idle.books();
    expect([logs, user.used_quota]).toEqual([[], 0]);
  });

  test.each(['chat', 'generate'])('[A28.4] %s: rejects an unknown model and a missing token', async (name) => {
    const response = await scene.post(`/api/${name}`, { model: 'nobody' });
    expect([response.status, await response.json()]).toEqual([404, { error: expect.stringContaining('nobody') }]);
    const stranger = await fetch(`${app.url}/api/${name}`, { method: 'POST', body: '{"model":"gpt-4o"}' });
    expect(stranger.status).toBe(401);
  });
});

test('embeds texts', async () => {
  const embedding = await sceneOf({ upstreams: [embeddingResponse] });
  const response = await embedding.post('/api/embed', { model: 'gpt-4o', input: ['one', 'two'] });
  expect(await response.json()).toEqual({
    model: 'gpt-4o',
    embeddings: [
      [0.5, -1],
      [0.5, -1],
    ],
    prompt_eval_count: 10,
  });
  expect((await embedding.books()).logs).toMatchObject([{ prompt_tokens: 10, completion_tokens: 0 }]);
});

test('ends a broken stream with an error line', async () => {
  const broken = await sceneOf({
    upstreams: [stream([roleChunk, textChunk('Hel'), 'data: {"error":{"message":"gone"}}\n\n'])],
  });
  const lines = linesIn(await (await broken.post('/api/chat', { model: 'gpt-4o', messages })).text());
  expect(lines.at(-1)).toEqual({ error: expect.stringContaining('gone') });
});

describe('console API next to the Ollama API', () => {
  test('shares no path with the Ollama API', () => {
    const rows = Object.values(apiTables).flatMap((table) => Object.values(table));
    const own = rows.map(({ path }) => path.replace(/\/$/, ''));
    expect(own.length).toBeGreaterThan(50);
    for (const name of ['tags', 'chat', 'generate', 'show', 'embed', 'version'])
      expect(own).not.toContain(`/api/${name}`);
  });

  test.each([
    ['POST', '/api/chat/more'],
    ['GET', '/api/chat'],
    ['POST', '/api/tags'],
    ['DELETE', '/api/tags'],
  ])("[A24.12] returns the console API's error for %s %s", async (method, path) => {
    const response = await fetch(app.url + path, { method, headers: { authorization } });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ success: false });
  });

  test.each([
    ['POST', '/api/pull'],
    ['DELETE', '/api/delete'],
    ['GET', '/api/ps'],
  ])("[A24.12] returns an error in Ollama's format for the unsupported %s %s", async (method, path) => {
    const response = await fetch(app.url + path, { method, headers: { authorization } });
    const error = expect.stringContaining(`Invalid URL (${method} ${path})`);
    expect([response.status, await response.json()]).toEqual([404, { error }]);
  });

  test("[A27.3] does not count Ollama requests against the console API's rate limit", async () => {
    const limits = { ...rateLimits, api: { most: 40, seconds: 600 } };
    const narrow = await useTestApp({ config: { rateLimits: limits } });
    const other = await relayFixture(narrow, { upstreams: [reply({})] });
    const headers = { authorization: `Bearer sk-${other.token.key}` };
    for (let count = 0; count < 50; count += 1) {
      expect((await fetch(`${narrow.url}/api/tags`, { headers })).status).toBe(200);
    }
    expect((await fetch(`${narrow.url}/api/status`)).status).toBe(200);
    await other.close();
  });
});
