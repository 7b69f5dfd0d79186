import { tokenApi, userApi } from '@headgate/contract';
import { chatResponse, reply, stream } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { createChannel, relayFixture } from '../testing/relay/relay-fixture.ts';
import { useTestApp } from '../testing/test-app.ts';

const app = await useTestApp();

const completion = (usage: unknown = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }) =>
  reply({
    id: 'x',
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' } }],
    usage,
  });

const piece = (text: string) => `data: {"choices":[{"index":0,"delta":{"content":${JSON.stringify(text)}}}]}\n\n`;
const usageEvent = 'data: {"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15}}\n\n';
const done = 'data: [DONE]\n\n';

/** gpt-4o: (10 + 5 × 4) × 2.5. */
const price = 75;

async function errorOf(response: Response): Promise<{ message: string; code: string | null; type: string }> {
  return ((await response.json()) as { error: { message: string; code: string | null; type: string } }).error;
}

describe('whole responses', () => {
  test('whole responses are forwarded unchanged, and are charged and logged before the client has received them', async () => {
    const scene = await relayFixture(app, {
      upstreams: [completion()],
      token: { unlimited_quota: false, remain_quota: 100_000 },
    });
    const response = await scene.chat({ unknown_field: { kept: [1.5] } });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ choices: [{ message: { content: 'Hello' } }] });
    const { user, token, logs, drift } = await scene.books();
    expect(user).toMatchObject({ quota: 1_000_000 - price, used_quota: price, request_count: 1 });
    expect(token).toMatchObject({ remain_quota: 100_000 - price, used_quota: price });
    expect(logs).toMatchObject([
      {
        type: 2,
        quota: price,
        prompt_tokens: 10,
        completion_tokens: 5,
        model_name: 'gpt-4o',
        token_name: 'relay',
        is_stream: 0,
      },
    ]);
    expect(logs[0]?.request_id).toBe(response.headers.get('x-request-id'));
    expect(JSON.parse(logs[0]?.detail ?? '')).toMatchObject({ model_ratio: 2.5, completion_ratio: 4, group_ratio: 1 });
    expect(drift).toBe(0);
    const [seen] = scene.upstreams[0]?.received ?? [];
    expect(seen).toMatchObject({ path: '/v1/chat/completions', body: { unknown_field: { kept: [1.5] } } });
    expect(seen?.headers.authorization).toBe('Bearer upstream-key-123456');
    await scene.close();
  });

  test('whole responses are forwarded unchanged even if long, and are charged by their usage', async () => {
    const content = 'Say "usage": {"prompt_tokens": 1} — twice. '.repeat(500);
    const response = chatResponse({ content });
    const scene = await relayFixture(app, { upstreams: [reply(response)] });
    expect(await (await scene.chat()).text()).toBe(JSON.stringify(response));
    const { logs, drift } = await scene.books();
    expect(logs).toMatchObject([{ quota: price, prompt_tokens: 10, completion_tokens: 5 }]);
    expect(drift).toBe(0);
    await scene.close();
  });

  test('changes a request only for model mapping and system prompt, and charges the requested model', async () => {
    const channel = { model_mapping: '{"gpt-4o":"house-model"}', system_prompt: 'Be brief.' };
    const scene = await relayFixture(app, { upstreams: [completion()], channel });
    await scene.chat({ temperature: 0 });
    expect(scene.upstreams[0]?.received[0]?.body).toEqual({
      model: 'house-model',
      temperature: 0,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'hi' },
      ],
    });
    const { logs } = await scene.books();
    expect(logs[0]).toMatchObject({ model_name: 'gpt-4o', quota: price, system_prompt_reset: 1 });
    expect(JSON.parse(logs[0]?.detail ?? '')).toMatchObject({ upstream_model: 'house-model' });
    await scene.close();
  });

  test.each([
    ['absent', undefined],
    ['negative', { prompt_tokens: -5, completion_tokens: 5, total_tokens: 0 }],
    ['not a number', { prompt_tokens: 'many', completion_tokens: null }],
    ['huge', { prompt_tokens: 1e300, completion_tokens: 5 }],
    ['zero', { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }],
  ])('counts tokens locally if the reported usage is %s', async (_, usage) => {
    const scene = await relayFixture(app, { upstreams: [completion(usage)] });
    expect((await scene.chat()).status).toBe(200);
    const { user, drift, logs } = await scene.books();
    expect(logs[0]?.quota).toBeGreaterThan(0);
    expect(logs[0]?.quota).toBeLessThan(200);
    expect(user.used_quota).toBe(logs[0]?.quota);
    expect(drift).toBe(0);
    await scene.close();
  });

  test('rounds fractional usage up', async () => {
    const scene = await relayFixture(app, { upstreams: [completion({ prompt_tokens: 9.2, completion_tokens: 4.1 })] });
    await scene.chat();
    expect((await scene.books()).logs[0]).toMatchObject({ prompt_tokens: 10, completion_tokens: 5, quota: price });
    await scene.close();
  });
});

describe('streams', () => {
  const chunks = [piece('Hel'), piece('lo'), usageEvent, done];

  test('streams are forwarded as they arrive; usage is requested upstream and hidden from clients that did not request it', async () => {
    const scene = await relayFixture(app, { upstreams: [stream(chunks)] });
    const response = await scene.chat({ stream: true });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(await response.text()).toBe(piece('Hel') + piece('lo') + done);
    expect(scene.upstreams[0]?.received[0]?.body).toMatchObject({ stream_options: { include_usage: true } });
    const { user, logs } = await scene.books();
    expect(logs).toMatchObject([{ quota: price, is_stream: 1 }]);
    expect(user.used_quota).toBe(price);
    await scene.close();
  });

  test('streams include usage for a client that requested it', async () => {
    const scene = await relayFixture(app, { upstreams: [stream(chunks)] });
    const response = await scene.chat({ stream: true, stream_options: { include_usage: true } });
    expect(await response.text()).toBe(chunks.join(''));
    await scene.close();
  });

  test.each([
    ['the upstream disconnects', stream([piece('Hel'), piece('lo')], 'cut')],
    ['the end marker is missing', stream([piece('Hel'), piece('lo')])],
  ])('streams end with an error if %s, and the delivered part is charged', async (_, respond) => {
    const scene = await relayFixture(app, { upstreams: [respond] });
    const text = await (await scene.chat({ stream: true })).text();
    expect(text).toContain('lo');
    expect(text).toContain('"error"');
    expect(text).not.toContain('[DONE]');
    const { user, logs, drift } = await scene.books();
    expect(logs).toMatchObject([{ type: 2, ended_by: 'upstream' }]);
    expect(logs[0]?.quota).toBeGreaterThan(0);
    expect(user.used_quota).toBe(logs[0]?.quota);
    expect(drift).toBe(0);
    await scene.close();
  });

  test('streams are canceled upstream when the client disconnects, are charged for the delivered part, and leave nothing reserved', async () => {
    const scene = await relayFixture(app, { upstreams: [stream([piece('Hello')], 'stall')] });
    const gone = new AbortController();
    const response = await scene.chat({ stream: true }, { signal: gone.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    gone.abort();
    await scene.upstreams[0]?.received[0]?.left;
    await expect.poll(async () => (await scene.books()).logs).toMatchObject([{ type: 2, ended_by: 'client' }]);
    const { user, logs, drift } = await scene.books();
    expect(logs[0]?.quota).toBeGreaterThan(0);
    expect(user.used_quota).toBe(logs[0]?.quota);
    expect(drift).toBe(0);
    await scene.close();
  });

  test('streams stop when the quota runs out', async () => {
    const long = Array.from({ length: 400 }, () => piece('some more words '));
    const scene = await relayFixture(app, { upstreams: [stream([...long, done])], quota: 2000 });
    const text = await (await scene.chat({ stream: true, max_tokens: 50 })).text();
    expect(text).toContain('insufficient_user_quota');
    expect(text).not.toContain('[DONE]');
    const { user, drift } = await scene.books();
    expect(user.quota).toBeLessThan(500);
    expect(user.quota).toBeGreaterThan(-200);
    expect(drift).toBe(0);
    await scene.close();
  });
});

describe('limits in a request', () => {
  test.each([
    ['[A5.1]', 'max_tokens', -1],
    ['[A5.1]', 'max_tokens', 2 ** 53],
    ['[A5.1]', 'max_tokens', 1.5],
    ['[A5.1]', 'max_tokens', '10'],
    ['[A5.1]', 'max_completion_tokens', -1],
    ['[A5.1]', 'max_output_tokens', 1e9],
    ['[A5.3]', 'n', 0],
    ['[A5.3]', 'n', 129],
    ['[A5.3]', 'n', '2'],
    ['[A5.3]', 'best_of', 129],
    ['[A5.3]', 'best_of', 1.5],
  ])('rejects %s %s of %s', async (_, name, value) => {
    const scene = await relayFixture(app, { upstreams: [completion()] });
    const response = await scene.chat({ [name]: value });
    expect(response.status).toBe(400);
    expect((await errorOf(response)).message).toContain(`${name} is invalid`);
    await scene.close();
  });
});

describe('access', () => {
  test('applies a changed token or user to the next request', async () => {
    const scene = await relayFixture(app, { upstreams: [completion()] });
    const root = await app.signedIn('root', '123456');
    expect((await scene.chat()).status).toBe(200);
    await scene.client.call(tokenApi.update, { query: {}, body: { id: scene.token.id, models: 'gpt-3.5-turbo' } });
    expect((await scene.chat()).status).toBe(403);
    await scene.client.call(tokenApi.update, { query: {}, body: { id: scene.token.id, models: '' } });
    expect((await scene.chat()).status).toBe(200);
    await scene.client.call(tokenApi.update, { query: {}, body: { id: scene.token.id, subnet: '203.0.113.0/24' } });
    expect((await scene.chat({}, {})).status).toBe(403);
    await scene.client.call(tokenApi.update, { query: {}, body: { id: scene.token.id, subnet: '127.0.0.0/8' } });
    expect((await scene.chat()).status).toBe(200);
    await scene.client.call(tokenApi.update, {
      query: { status_only: 'true' },
      body: { id: scene.token.id, status: 2 },
    });
    expect((await errorOf(await scene.chat())).code).toBe('token_disabled');
    await scene.client.call(tokenApi.update, {
      query: { status_only: 'true' },
      body: { id: scene.token.id, status: 1 },
    });
    await root.call(userApi.manage, { body: { username: scene.user.username, action: 'disable' } });
    expect((await errorOf(await scene.chat())).code).toBe('account_banned');
    await root.call(userApi.manage, { body: { username: scene.user.username, action: 'enable' } });
    expect((await scene.chat()).status).toBe(200);
    await root.call(userApi.manage, { body: { username: scene.user.username, action: 'delete' } });
    expect((await scene.chat()).status).toBe(401);
    await scene.close();
  });

  test.each([
    ['a request without a token', '', 401],
    ['an unknown token', 'Bearer sk-nobody', 401],
    ['a built-in property name', 'Bearer sk-__proto__', 401],
  ])("rejects %s in OpenAI's format", async (_, authorization, status) => {
    const response = await fetch(`${app.url}/v1/models`, { headers: { authorization } });
    expect(response.status).toBe(status);
    expect(await errorOf(response)).toMatchObject({ code: 'invalid_api_key' });
  });

  test('[A15.1] rejects a pinned channel of an ordinary user', async () => {
    const scene = await relayFixture(app, { upstreams: [completion()] });
    const response = await scene.chat(
      {},
      {
        headers: { authorization: `Bearer sk-${scene.token.key}-1`, 'content-type': 'application/json' },
      },
    );
    expect(response.status).toBe(403);
    await scene.close();
  });

  test('[A69.2] returns 403 for a model that only channels of other groups serve', async () => {
    const scene = await relayFixture(app);
    await createChannel(scene.admin, 'somebody-else', 'http://127.0.0.1:9');
    expect((await scene.chat()).status).toBe(403);
    await scene.close();
  });

  test('lists the models that the token may use', async () => {
    const scene = await relayFixture(app, { upstreams: [completion()], token: { models: 'gpt-4o,not-served' } });
    const response = await fetch(`${app.url}/v1/models`, { headers: { authorization: `Bearer ${scene.token.key}` } });
    expect(await response.json()).toMatchObject({ object: 'list', data: [{ id: 'gpt-4o' }] });
    await scene.close();
  });
});

describe('upstream errors', () => {
  test("forwards a 400 without a retry and without the channel's key", async () => {
    const message = 'Bad request with key upstream-key-123456';
    const scene = await relayFixture(app, {
      upstreams: [reply({ error: { message, type: 'invalid_request_error' } }, 400), completion()],
    });
    const response = await scene.chat();
    expect(response.status).toBe(400);
    const error = await errorOf(response);
    expect(error.message).toContain('Bad request');
    expect(error.message).not.toContain('upstream-key');
    expect(scene.upstreams[1]?.received).toEqual([]);
    await scene.close();
  });

  test.each([
    ['an error inside a 200 response', reply({ error: { message: 'quota exceeded' } })],
    ['an HTML page', reply('<html>busy</html>', 200, 'text/html')],
  ])('treats %s as an error and does not charge it', async (_, respond) => {
    const scene = await relayFixture(app, { upstreams: [respond] });
    expect((await scene.chat()).status).toBe(502);
    expect((await scene.books()).user.used_quota).toBe(0);
    await scene.close();
  });

  test.each([
    ['a body that is not JSON', 'nonsense'],
    ['a body that is a list', '[]'],
    ['a body without messages', '{"model":"gpt-4o"}'],
    ['a body without a model', '{"messages":[]}'],
  ])('returns 400 for %s', async (_, body) => {
    const scene = await relayFixture(app, { upstreams: [completion()] });
    expect((await scene.post('/v1/chat/completions', body)).status).toBe(400);
    await scene.close();
  });
});
