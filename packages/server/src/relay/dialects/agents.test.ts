import { optionApi } from '@headgate/contract';
import {
  chunk,
  claudeEvents,
  claudeMessage,
  done,
  namedEvents,
  reply,
  roleChunk,
  stop,
  stream,
  textChunk,
  type UpstreamHandler,
  usageEvent,
} from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { createChannel, relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const scenes: Awaited<ReturnType<typeof relayFixture>>[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

async function sceneWith(respond: UpstreamHandler, channel: object = {}) {
  const scene = await relayFixture(app, { upstreams: [respond], channel: { ...channel }, quota: 100_000_000 });
  scenes.push(scene);
  return scene;
}

type Scene = Awaited<ReturnType<typeof sceneWith>>;

const words = 'A quick brown fox. ';

/** Main request of Claude Code, with its field names and types. */
const claudeCode = (model: string) => ({
  model,
  messages: [
    { role: 'user', content: [{ type: 'text', text: words, cache_control: { type: 'ephemeral' } }] },
    { role: 'system', content: 'The time has changed.' },
    { role: 'user', content: 'Go on.' },
  ],
  system: [
    { type: 'text', text: 'You are a tool.' },
    { type: 'text', text: words.repeat(50), cache_control: { type: 'ephemeral', ttl: '1h' } },
  ],
  tools: [
    {
      name: 'Bash',
      description: 'Runs a command',
      input_schema: { $schema: 'x', type: 'object', properties: { command: { type: 'string' } } },
    },
  ],
  metadata: { user_id: 'user_1' },
  max_tokens: 64_000,
  thinking: { type: 'adaptive' },
  context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
  output_config: { effort: 'high' },
  stream: true,
});

const claudeHeaders = (scene: Scene) => ({
  'x-api-key': `sk-${scene.token.key}`,
  'anthropic-version': '2023-06-01',
  'anthropic-beta': 'claude-code-20250219,interleaved-thinking-2025-05-14',
  'content-type': 'application/json',
});

const events = (text: string): readonly string[] =>
  [...text.matchAll(/^event: (.+)$/gm)].map(([, name = '']) => name).filter((name) => name !== 'ping');

const openaiStream = stream([roleChunk, textChunk('Hel'), textChunk('lo'), stop, usageEvent, done]);

describe('Claude Code', () => {
  const ask = (scene: Scene, body: object, path = '/v1/messages?beta=true') =>
    fetch(`${app.url}${path}`, { method: 'POST', headers: claudeHeaders(scene), body: JSON.stringify(body) });

  test('forwards requests to Anthropic unchanged', async () => {
    const scene = await sceneWith(stream(namedEvents(claudeEvents(false))), { type: 14, models: 'claude-opus-4-8' });
    const body = claudeCode('claude-opus-4-8');
    const response = await ask(scene, body);
    expect(await response.text()).toBe(namedEvents(claudeEvents(false)).join(''));
    const [seen] = scene.upstreams[0]?.received ?? [];
    expect(seen?.path).toBe('/v1/messages?beta=true');
    expect(seen?.body).toEqual(body);
    expect(seen?.headers).toMatchObject({ 'anthropic-beta': claudeHeaders(scene)['anthropic-beta'] });
    expect(JSON.stringify(seen?.headers)).not.toContain(scene.token.key);
    const { logs, drift } = await scene.books();
    expect(logs).toMatchObject([{ type: 2, prompt_tokens: 10, completion_tokens: 5, is_stream: 1 }]);
    expect(JSON.parse(logs[0]?.detail ?? '')).toMatchObject({ dialect: 'anthropic-messages' });
    expect(drift).toBe(0);
  });

  test('forwards query parameters to Anthropic, except keys and fields of the body', async () => {
    const scene = await sceneWith(reply(claudeMessage(false)), { type: 14, models: 'claude-opus-4-8' });
    const body = { ...claudeCode('claude-opus-4-8'), stream: false };
    const added =
      'beta=true&trace=on&key=sk-mine&api-key=x&model=dear&service_tier=priority&x=sk-mine&auth_token=y&z=a b';
    const response = await ask(scene, body, `/v1/messages?${added}`);
    expect(response.status).toBe(200);
    expect(scene.upstreams[0]?.received[0]?.path).toBe('/v1/messages?beta=true&trace=on');
    expect(response.headers.get('request-id')).toBe(response.headers.get('x-request-id'));
    const rejected = await ask(scene, { ...body, max_tokens: -1 });
    expect(rejected.headers.get('request-id')).toBe(rejected.headers.get('x-request-id'));
  });

  test('gets the response of an OpenAI model as Anthropic events', async () => {
    const scene = await sceneWith(openaiStream);
    const response = await ask(scene, claudeCode('gpt-4o'));
    const text = await response.text();
    expect(response.status, text).toBe(200);
    expect(events(text)).toEqual([
      ...['message_start', 'content_block_start', 'content_block_delta', 'content_block_delta', 'content_block_stop'],
      ...['message_delta', 'message_stop'],
    ]);
    expect(scene.upstreams[0]?.received[0]?.body).toMatchObject({ model: 'gpt-4o', stream: true, max_tokens: 64_000 });
    expect((await scene.books()).logs).toMatchObject([{ type: 2, prompt_tokens: 10, completion_tokens: 5 }]);
  });

  test("works without Anthropic's web search unless the request requires it", async () => {
    const scene = await sceneWith(openaiStream);
    const search = { type: 'web_search_20250305', name: 'web_search', max_uses: 8 };
    const body = claudeCode('gpt-4o');
    const offered = await ask(scene, { ...body, tools: [...body.tools, search] });
    expect(offered.status).toBe(200);
    expect(offered.headers.get('x-headgate-ignored')).toContain('web_search_20250305');
    const demanded = { ...body, tools: [search], tool_choice: { type: 'tool', name: 'web_search' } };
    const rejected = await ask(scene, demanded);
    expect(rejected.status).toBe(400);
    expect(await rejected.json()).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
  });

  test('lists models and counts tokens for free', async () => {
    const scene = await sceneWith(openaiStream);
    const headers = claudeHeaders(scene);
    const models = await (await fetch(`${app.url}/v1/models?limit=1000`, { headers })).json();
    expect(models).toMatchObject({ data: [{ type: 'model', id: 'gpt-3.5-turbo' }, { id: 'gpt-4o' }], has_more: false });
    const { max_tokens: _, stream: __, ...body } = claudeCode('gpt-4o');
    const count = await (await ask(scene, body, '/v1/messages/count_tokens?beta=true')).json();
    expect(count).toMatchObject({ input_tokens: expect.toSatisfy((tokens: number) => tokens > 250 && tokens < 500) });
    expect((await scene.books()).logs).toEqual([]);
  });

  test("gets errors in Anthropic's format, before a stream and inside it", async () => {
    const scene = await sceneWith(reply({ error: { message: 'no' } }, 500));
    const before = await ask(scene, claudeCode('gpt-4o'));
    expect(before.status).toBe(500);
    expect(await before.json()).toMatchObject({ type: 'error', error: { type: 'api_error' } });
    const broken = await sceneWith(stream([roleChunk, textChunk('Hel'), `data: {"error":{"message":"gone"}}\n\n`]));
    expect(await (await ask(broken, claudeCode('gpt-4o'))).text()).toMatch(
      /event: error\ndata: \{"type":"error","error":\{"type":"api_error","message":"gone"/,
    );
    const noUser = await fetch(`${app.url}/v1/messages`, { method: 'POST', headers: { 'x-api-key': 'sk-x' } });
    expect(noUser.status).toBe(401);
    expect(await noUser.json()).toMatchObject({ error: { type: 'authentication_error' } });
  });
});

/** Request of Codex, with its field names and types. */
const codex = (model: string) => ({
  model,
  instructions: words,
  input: [
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: words }] },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] },
  ],
  tools: [
    { type: 'function', name: 'shell', description: 'Runs it', strict: false, parameters: { type: 'object' } },
    {
      type: 'namespace',
      name: 'agents',
      description: 'Others',
      tools: [{ type: 'function', name: 'spawn', parameters: { type: 'object' } }],
    },
    { type: 'web_search', external_web_access: false },
  ],
  tool_choice: 'auto',
  parallel_tool_calls: true,
  reasoning: { effort: 'medium', summary: 'auto' },
  store: false,
  stream: true,
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: 'one',
  client_metadata: { session: 'one' },
  text: { verbosity: 'low' },
});

describe('Codex', () => {
  test('gets the response of an OpenAI chat model, without its web search tool', async () => {
    const call = chunk({
      tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'shell', arguments: '{}' } }],
    });
    const scene = await sceneWith(stream([roleChunk, call, chunk({}, 'tool_calls'), usageEvent, done]));
    const response = await scene.post('/v1/responses', codex('gpt-4o'));
    const text = await response.text();
    expect(response.status, text).toBe(200);
    expect(response.headers.get('x-headgate-ignored')).toContain('web_search');
    const names = events(text);
    expect(names.slice(0, 2)).toEqual(['response.created', 'response.in_progress']);
    expect(names).toContain('response.function_call_arguments.done');
    expect(names.at(-1)).toBe('response.completed');
    const [seen] = scene.upstreams[0]?.received ?? [];
    expect(seen?.body).toMatchObject({ tools: [{ function: { name: 'shell' } }, { function: {} }] });
    expect((await scene.books()).logs).toMatchObject([{ type: 2, prompt_tokens: 10, completion_tokens: 5 }]);
  });

  test('gets 400 with the field name for provider state of another user', async () => {
    const scene = await sceneWith(openaiStream);
    for (const name of ['previous_response_id', 'conversation']) {
      const rejected = await scene.post('/v1/responses', { ...codex('gpt-4o'), [name]: 'resp_1' });
      expect(rejected.status).toBe(400);
      expect(JSON.stringify(await rejected.json())).toContain(name);
    }
  });
});

/** Request of Gemini CLI, with its field names and types. */
const geminiCli = {
  contents: [{ role: 'user', parts: [{ text: words }] }],
  systemInstruction: { role: 'user', parts: [{ text: words }] },
  tools: [{ functionDeclarations: [{ name: 'ls', description: 'Lists', parametersJsonSchema: { type: 'object' } }] }],
  generationConfig: {
    temperature: 1,
    topP: 0.95,
    topK: 64,
    thinkingConfig: { includeThoughts: true, thinkingBudget: -1 },
  },
};

describe('Gemini CLI', () => {
  const ask = (scene: Scene, call: string) =>
    fetch(`${app.url}/v1beta/models/gpt-4o:${call}`, {
      method: 'POST',
      headers: { 'x-goog-api-key': `sk-${scene.token.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(geminiCli),
    });

  test('gets the response of an OpenAI model as events and as a list', async () => {
    const scene = await sceneWith(openaiStream);
    const inEvents = await (await ask(scene, 'streamGenerateContent?alt=sse')).text();
    expect(inEvents).toMatch(/^data: \{"candidates"/);
    expect(inEvents).toContain('"finishReason":"STOP"');
    const asList = await ask(scene, 'streamGenerateContent');
    expect(asList.headers.get('content-type')).toContain('application/json');
    expect(await asList.json()).toMatchObject([{ candidates: [{ content: { parts: [{ text: 'Hel' }] } }] }, {}, {}]);
    expect((await scene.books()).logs).toHaveLength(2);
  });

  test('embeds one and many texts with an OpenAI model', async () => {
    const row = (index: number) => ({ object: 'embedding', index, embedding: [index, 0.5] });
    const usage = { prompt_tokens: 7, total_tokens: 7 };
    const scene = await sceneWith(reply({ object: 'list', data: [row(1), row(0)], usage }));
    const embed = (call: string, body: object) =>
      scene.post(`/v1beta/models/gpt-4o:${call}`, body).then((response) => response.json());
    const content = { parts: [{ text: 'Hello' }] };
    expect(await embed('embedContent', { content })).toMatchObject({ embedding: { values: [0, 0.5] } });
    expect(await embed('batchEmbedContents', { requests: [{ content }, { content }] })).toMatchObject({
      embeddings: [{ values: [0, 0.5] }, { values: [1, 0.5] }],
    });
    expect(scene.upstreams[0]?.received.at(-1)).toMatchObject({
      path: '/v1/embeddings',
      body: { model: 'gpt-4o', input: ['Hello', 'Hello'] },
    });
    expect(await embed('embedContent', { content: 7 })).toMatchObject({ error: { status: 'INVALID_ARGUMENT' } });
    expect((await scene.books()).logs).toMatchObject([{ prompt_tokens: 7 }, { prompt_tokens: 7 }]);
  });

  test('counts tokens and lists models', async () => {
    const scene = await sceneWith(openaiStream);
    expect(await (await ask(scene, 'countTokens')).json()).toMatchObject({ totalTokens: expect.any(Number) });
    const headers = { 'x-goog-api-key': `sk-${scene.token.key}` };
    const listed = await (await fetch(`${app.url}/v1beta/models?pageSize=1`, { headers })).json();
    expect(listed).toMatchObject({ models: [{ name: 'models/gpt-3.5-turbo' }], nextPageToken: '1' });
    expect((await fetch(`${app.url}/v1beta/models/nothing`, { headers })).status).toBe(404);
  });
});

test('falls back to the next channel in every dialect', async () => {
  const scene = await sceneWith(reply({ error: { message: 'no' } }, 500), { priority: 2 });
  const second = await sceneWith(openaiStream);
  await createChannel(scene.admin, scene.group, second.upstreams[0]?.url ?? '', { priority: 1 });
  await (await app.signedIn('root', '123456')).call(optionApi.update, { body: { key: 'RetryTimes', value: '2' } });
  const claude = await fetch(`${app.url}/v1/messages`, {
    method: 'POST',
    headers: claudeHeaders(scene),
    body: JSON.stringify(claudeCode('gpt-4o')),
  });
  expect(claude.status).toBe(200);
  expect(await claude.text()).toContain('message_stop');
  const responses = await scene.post('/v1/responses', codex('gpt-4o'));
  expect(await responses.text()).toContain('response.completed');
});
