import { optionApi } from '@headgate/contract';
import { completion, reply } from '@headgate/testkit';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const root = await app.as('root');
const allow = (value: string) => root.call(optionApi.update, { body: { key: 'UnpricedFieldsAllowed', value } });
afterEach(() => allow(''));

const quota = 100_000_000;
const openai = await relayFixture(app, { quota, upstreams: [completion()], channel: { type: 1 } });
const responses = await relayFixture(app, {
  quota,
  channel: { type: 1 },
  upstreams: [
    reply({
      id: 'resp_1',
      status: 'completed',
      output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hello' }] }],
      usage: { input_tokens: 10, output_tokens: 5 },
    }),
  ],
});
const anthropic = await relayFixture(app, {
  quota,
  channel: { type: 14 },
  upstreams: [
    reply({
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'Hello' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 10, output_tokens: 5 },
    }),
  ],
});
const gemini = await relayFixture(app, {
  quota,
  channel: { type: 24 },
  upstreams: [
    reply({
      candidates: [{ content: { parts: [{ text: 'Hello' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5 },
    }),
  ],
});
const endpoints = {
  chat: { scene: openai, path: '/v1/chat/completions', fixed: {} },
  embeddings: { scene: openai, path: '/v1/embeddings', fixed: {} },
  images: { scene: openai, path: '/v1/images/generations', fixed: {} },
  responses: { scene: responses, path: '/v1/responses', fixed: {} },
  messages: { scene: anthropic, path: '/v1/messages', fixed: { max_tokens: 5 } },
  contents: { scene: gemini, path: '/v1beta/models/gpt-4o:generateContent', fixed: {} },
} as const;
type EndpointCase = keyof typeof endpoints;
afterAll(() => Promise.all([openai, responses, anthropic, gemini].map((scene) => scene.close())));

const send = (endpointKind: EndpointCase, body: object) => {
  const { scene, path, fixed } = endpoints[endpointKind];
  return scene.post(path, { ...(endpointKind !== 'contents' && { model: 'gpt-4o' }), ...fixed, ...body });
};
const sentBy = (endpointKind: EndpointCase) => endpoints[endpointKind].scene.upstreams[0]?.received ?? [];

const user = (...content: object[]) => ({ messages: [{ role: 'user', content }] });
const input = (...content: object[]) => ({ input: [{ role: 'user', content }] });
const result = (...content: object[]) => user({ type: 'tool_result', tool_use_id: 'a', content });
const file = { type: 'file', file_id: 'f' };
const hi = { role: 'user', content: 'hi' };

type Case = readonly [door: EndpointCase, place: string, option: string, body: object];

const kept: readonly Case[] = [
  ['chat', 'messages[0].content[0].file.file_id', 'file_id', user({ type: 'file', file: { file_id: 'f' } })],
  ['chat', 'messages[0].content[0].fileId', 'file_id', user({ type: 'document', fileId: 'f' })],
  ['chat', 'messages[0].content[0].FILE_ID', 'file_id', user({ type: 'text', text: 'x', FILE_ID: 'f' })],
  ['chat', 'messages[0].audio.id', 'audio_id', { messages: [{ role: 'assistant', audio: { id: 'audio_1' } }, hi] }],
  ['chat', 'messages[0].content', 'file_id', { messages: [{ role: 'system', content: 'fileid://file-1' }, hi] }],
  [
    'chat',
    'messages[0].content',
    'file_id',
    {
      messages: [
        {
          role: 'developer',
          content: [
            { type: 'text', text: 'file' },
            { type: 'text', text: 'id://file-1' },
          ],
        },
        hi,
      ],
    },
  ],
  ['responses', 'instructions', 'file_id', { input: 'hi', instructions: 'fileid://file-1' }],
  ['responses', 'input[0].content', 'file_id', { input: [{ role: 'developer', content: 'fileid://file-1' }, hi] }],
  ['messages', 'system', 'file_id', { system: [{ type: 'text', text: 'fileid://file-1' }], messages: [hi] }],
  ['messages', 'messages[0].content', 'file_id', { messages: [{ role: 'system', content: 'fileid://file-1' }, hi] }],
  [
    'contents',
    'systemInstruction',
    'file_id',
    { systemInstruction: { parts: [{ text: 'fileid://file-1' }] }, contents: [{ parts: [{ text: 'hi' }] }] },
  ],
  [
    'messages',
    'messages[0].content[0].content.content.source.file_id',
    'file_id',
    user({
      type: 'web_fetch_tool_result',
      content: { type: 'web_fetch_result', content: { type: 'document', source: file } },
    }),
  ],
  [
    'chat',
    'messages[0].content[0].image_url.url',
    'file_uri',
    user({ type: 'image_url', image_url: { url: 'gs://a/b' } }),
  ],
  [
    'chat',
    'messages[0].content[0].video_url.url',
    'file_uri',
    user({ type: 'video_url', video_url: { url: 'ms://f' } }),
  ],
  [
    'chat',
    'messages[0].content[0].image_url.url',
    'file_uri',
    user({ type: 'image_url', image_url: { url: 'https://generativelanguage.googleapis.com/v1beta/files/a' } }),
  ],
  ['chat', 'messages[0].file_ids', 'file_ids', { messages: [{ ...hi, file_ids: ['f'] }] }],
  ['chat', 'messages[0].attachments[0].file_id', 'file_id', { messages: [{ ...hi, attachments: [{ file_id: 'f' }] }] }],
  ['chat', 'assistant_id', 'assistant_id', { messages: [hi], assistant_id: 'asst_1' }],
  ['images', 'images[0].file_id', 'file_id', { prompt: 'hi', images: [{ file_id: 'f' }] }],
  ['images', 'mask.file_id', 'file_id', { prompt: 'hi', mask: { file_id: 'f' } }],
  ['images', 'image', 'file_uri', { prompt: 'hi', image: 'gs://bucket/a' }],
  ['chat', 'file_ids', 'file_ids', { messages: [hi], file_ids: ['f'] }],
  ['chat', 'cached_content', 'cached_content', { messages: [hi], cached_content: 'cachedContents/1' }],
  ['embeddings', 'input[0].image', 'file_uri', { input: [{ image: 'oss://bucket/a' }] }],
  ['responses', 'input[0].content[0].file_id', 'file_id', input({ type: 'input_file', file_id: 'f' })],
  ['responses', 'input[0].content[0].file_id', 'file_id', input({ type: 'input_image', file_id: 'f' })],
  [
    'responses',
    'input[0].output[0].file_id',
    'file_id',
    { input: [{ type: 'function_call_output', call_id: 'c', output: [{ type: 'input_image', file_id: 'f' }] }, hi] },
  ],
  [
    'responses',
    'input[0].output.file_id',
    'file_id',
    {
      input: [
        { type: 'computer_call_output', call_id: 'c', output: { type: 'computer_screenshot', file_id: 'f' } },
        hi,
      ],
    },
  ],
  ['messages', 'messages[0].content[0].source.file_id', 'file_id', user({ type: 'document', source: file })],
  ['messages', 'messages[0].content[0].source.file_id', 'file_id', user({ type: 'image', source: file })],
  ['messages', 'messages[0].content[0].file_id', 'file_id', user({ type: 'container_upload', file_id: 'f' })],
  [
    'messages',
    'messages[0].content[0].content[0].source.file_id',
    'file_id',
    result({ type: 'document', source: file }),
  ],
];

/** Files read by the provider's built-in tools, if those are allowed. */
const byTools: readonly Case[] = [
  [
    'responses',
    'tools[1].vector_store_ids',
    'vector_store_ids',
    {
      input: 'hi',
      tools: [
        { type: 'function', name: 'own' },
        { type: 'file_search', vector_store_ids: ['vs_1'] },
      ],
    },
  ],
  [
    'responses',
    'tools[0].container',
    'container',
    { input: 'hi', tools: [{ type: 'code_interpreter', container: 'cntr_1' }] },
  ],
  [
    'responses',
    'tools[0].container.file_ids',
    'file_ids',
    { input: 'hi', tools: [{ type: 'code_interpreter', container: { type: 'auto', file_ids: ['f'] } }] },
  ],
  [
    'responses',
    'tools[0].input_image_mask.file_id',
    'file_id',
    { input: 'hi', tools: [{ type: 'image_generation', input_image_mask: { file_id: 'f' } }] },
  ],
  [
    'responses',
    'input[0].tools[0].vector_store_ids',
    'vector_store_ids',
    { input: [{ type: 'additional_tools', tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] }, hi] },
  ],
  [
    'chat',
    'tools[0].retrieval.knowledge_id',
    'knowledge_id',
    { messages: [hi], tools: [{ type: 'retrieval', retrieval: { knowledge_id: 'k' } }] },
  ],
];

describe.each([
  ['referenced by a request', '', kept],
  ['used by the provider’s own tools', 'tools', byTools],
])("[A14.4] files that an upstream stores in the operator's account, %s", (_, before, cases) => {
  test.each(cases)('rejects a %s request with %s without sending it', async (endpointKind, path, _option, body) => {
    await allow(before);
    const sent = sentBy(endpointKind).length;
    const response = await send(endpointKind, body);
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: { message: string } };
    expect(error.message).toContain(path);
    expect(sentBy(endpointKind)).toHaveLength(sent);
  });

  test.each(cases)('sends a %s request with %s if an admin allows %s', async (endpointKind, _place, option, body) => {
    await allow([before, option].filter(Boolean).join(','));
    const sent = sentBy(endpointKind).length;
    await (await send(endpointKind, body)).arrayBuffer();
    expect(sentBy(endpointKind)).toHaveLength(sent + 1);
  });
});

test("returns errors in the client's dialect", async () => {
  const chat = await send('chat', user({ type: 'file', file: { file_id: 'f' } }));
  expect(await chat.json()).toMatchObject({
    error: { type: 'invalid_request_error', code: 'kept_file', param: 'messages[0].content[0].file.file_id' },
  });
  const messages = await send('messages', user({ type: 'document', source: file }));
  expect(await messages.json()).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
});

const schema = { type: 'object', properties: { file_id: { type: 'string' } }, examples: [{ file_id: 'f' }] };

/** Requests with the same field names in places where no upstream reads a file. */
const harmless: readonly (readonly [door: EndpointCase, name: string, body: object])[] = [
  [
    'chat',
    'a function definition',
    { messages: [hi], tools: [{ type: 'function', function: { name: 'a', parameters: schema } }] },
  ],
  ['chat', 'plain text', user({ type: 'text', text: 'gs://bucket/a and file_id' })],
  ['chat', 'public URLs', user({ type: 'image_url', image_url: { url: 'https://a.example/b.png' } })],
  ['chat', 'inline images', user({ type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } })],
  [
    'chat',
    'tool arguments',
    {
      messages: [
        {
          role: 'assistant',
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'a', arguments: '{"file_id":"f"}' } }],
        },
        { role: 'tool', tool_call_id: 'c', content: 'x' },
      ],
    },
  ],
  [
    'responses',
    'citations',
    {
      input: [
        {
          role: 'assistant',
          content: [{ type: 'output_text', text: 'x', annotations: [{ type: 'file_citation', file_id: 'f' }] }],
        },
        hi,
      ],
    },
  ],
  ['chat', 'metadata', { messages: [hi], metadata: { file_id: 'f' } }],
  ['responses', 'a function definition', { input: 'hi', tools: [{ type: 'function', name: 'a', parameters: schema }] }],
  [
    'messages',
    'tool arguments',
    {
      messages: [
        hi,
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'a', input: { file_id: 'f' } }] },
        result({ type: 'text', text: 'x' }).messages[0],
      ],
    },
  ],
  [
    'messages',
    'the source of a search result',
    result({ type: 'search_result', source: 'kb://a', title: 'a', content: [{ type: 'text', text: 'x' }] }),
  ],
  [
    'contents',
    'tool arguments',
    {
      contents: [
        { role: 'user', parts: [{ text: 'hi' }] },
        { role: 'model', parts: [{ functionCall: { name: 'a', args: { file_id: 'f' } } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'a', response: { file_id: 'f' } } }] },
      ],
    },
  ],
];

test.each(harmless)('accepts the same field names in %s with %s', async (endpointKind, _, body) => {
  const sent = sentBy(endpointKind).length;
  await (await send(endpointKind, body)).arrayBuffer();
  expect(sentBy(endpointKind)).toHaveLength(sent + 1);
});

/** Provider storage endpoints that Headgate does not serve. */
const unserved = [
  ...['/v1/files/f', '/v1/batches/b', '/v1/conversations/c', '/v1/conversations/c/items', '/v1/containers/c/files'],
  ...['/v1/vector_stores/v', '/v1/threads/t', '/v1/chat/completions/chatcmpl-1', '/v1/messages/batches/b'],
  ...[
    '/v1/skills/s',
    '/v1beta/files/f',
    '/v1beta/cachedContents/c',
    '/v1beta/interactions/i',
    '/v1/deferred-completion/d',
  ],
];

test.each(unserved)('[A14.4] does not forward %s', async (path) => {
  const counts = () => [openai, anthropic, gemini].map((scene) => scene.upstreams[0]?.received.length);
  const before = counts();
  for (const method of ['GET', 'POST', 'DELETE']) {
    const response = await openai.post(path, '{}', {
      method,
      ...(method !== 'POST' && { body: undefined as never }),
      headers: { authorization: `Bearer sk-${openai.token.key}`, 'content-type': 'application/json' },
    });
    await response.arrayBuffer();
    expect(response.status).toBeGreaterThanOrEqual(400);
  }
  expect(counts()).toEqual(before);
});
