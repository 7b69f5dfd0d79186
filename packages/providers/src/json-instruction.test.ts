import { anthropicMessages, type ChatRequest, gemini, openaiResponses, readChatRequest } from '@headgate/dialects';
import { describe, expect, test } from 'vitest';
import { fitBody, fitRequest } from './fit-request.ts';
import type { ChatAdaptor, JsonObject, PassThrough, Provider, Upstream } from './provider.ts';
import { providers, toChatAdaptor } from './registry.ts';

const { 1: openai, 14: anthropic, 15: baidu, 16: zhipu, 27: miniMax, 29: groq, 33: bedrock, 36: deepSeek } = providers;

const upstream: Upstream = {
  baseUrl: 'https://upstream.test',
  key: 'id|secret|us-east-1',
  model: 'a-model',
  requestedModel: 'asked',
  isStream: false,
  other: '',
  config: { region: 'us-east-1' },
  clientHeaders: {},
  credential: '',
  now: Date.UTC(2025, 0, 1),
  nonce: 'nonce',
  largestBody: 10_000_000,
};

function wireOf({ chat }: Provider, fields: Partial<Upstream> = {}): PassThrough | ChatAdaptor {
  const wire = typeof chat === 'function' ? chat({ ...upstream, ...fields }) : chat;
  if (!wire) throw new Error('there is no chat');
  return wire;
}

const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const jsonSchema = { type: 'json_schema', json_schema: { name: 'city', schema } };
const user = { role: 'user', content: 'Which city?' };
const described = expect.stringContaining(JSON.stringify(schema));

describe('JSON schemas for vendors without json_schema', () => {
  const passed = (provider: Provider, body: JsonObject, model = 'a-model') => {
    const { changes, ignored } = fitBody(body, wireOf(provider) as PassThrough, { ...upstream, model });
    return { ignored, body: { ...body, ...changes } as JsonObject };
  };

  test.each([
    ['DeepSeek', deepSeek],
    ['Zhipu', zhipu],
    ['Groq', groq],
  ])('replaces a passed-through schema with json_object and an instruction: %s', (_, provider) => {
    const { body, ignored } = passed(provider, { messages: [user], response_format: jsonSchema });
    expect(body).toEqual({
      messages: [{ role: 'system', content: described }, user],
      response_format: { type: 'json_object' },
    });
    expect(ignored).toEqual(['response_format.json_schema']);
  });

  test.each([
    ['text', 'Be brief', expect.stringMatching(/^Be brief\n\nRespond with .*JSON/s)],
    [
      'parts',
      [{ type: 'text', text: 'Be brief' }],
      [
        { type: 'text', text: 'Be brief' },
        { type: 'text', text: described },
      ],
    ],
    ['no text', null, described],
  ])('appends the instruction to a system message with %s', (_, content, joined) => {
    for (const role of ['system', 'developer']) {
      const messages = [{ role, content }, user];
      const { body } = passed(deepSeek, { messages, response_format: jsonSchema });
      expect(body['messages']).toEqual([{ role, content: joined }, user]);
    }
  });

  test('passes the schema on unchanged when the vendor or the model accepts it', () => {
    const body = { messages: [user], response_format: jsonSchema };
    for (const [provider, model] of [
      [openai, 'gpt-4o'],
      [groq, 'openai/gpt-oss-120b'],
      [miniMax, 'MiniMax-Text-01'],
    ] as const) {
      expect(passed(provider, body, model)).toEqual({ body, ignored: [] });
    }
    const plain = { messages: [user], response_format: { type: 'json_object' } };
    expect(passed(deepSeek, plain)).toEqual({ body: plain, ignored: [] });
  });

  test('replaces the schema with an instruction alone when json_object is not supported either', () => {
    const { body, ignored } = passed(miniMax, { messages: [user], response_format: { type: 'json_object' } });
    expect(body).toEqual({ messages: [{ role: 'system', content: expect.stringContaining('JSON') }, user] });
    expect(ignored).toEqual(['response_format.json_object']);
  });

  test('leaves a malformed request unchanged', () => {
    for (const body of [
      { response_format: jsonSchema },
      { messages: 'x', response_format: jsonSchema },
      { messages: [user], response_format: 'json_schema' },
    ]) {
      expect(passed(deepSeek, body)).toEqual({ body, ignored: [] });
    }
    const { body } = passed(deepSeek, { messages: [], response_format: { type: 'json_schema', json_schema: 7 } });
    expect(body['messages']).toHaveLength(1);
  });

  const deepSeekAdaptor = toChatAdaptor(wireOf(deepSeek));
  const requests: readonly (readonly [dialect: string, ChatRequest])[] = [
    ['Chat', readChatRequest({ messages: [user], response_format: jsonSchema })],
    [
      'Responses',
      openaiResponses.readRequest(
        { input: 'Which city?', text: { format: { type: 'json_schema', name: 'city', schema } } },
        {},
      ),
    ],
    [
      'Gemini',
      gemini.readRequest(
        {
          contents: [{ role: 'user', parts: [{ text: 'Which city?' }] }],
          generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema },
        },
        {},
      ),
    ],
    [
      'Messages',
      anthropicMessages.readRequest(
        { max_tokens: 9, messages: [user], output_config: { format: { type: 'json_schema', schema } } },
        {},
      ),
    ],
  ];

  test.each(requests)('replaces a schema translated from %s with json_object and an instruction', (_, request) => {
    const fitted = fitRequest(request, deepSeekAdaptor, 'deepseek-chat');
    expect(fitted.ignored).toEqual(['response_format.json_schema']);
    const body = JSON.parse(deepSeekAdaptor.encode(fitted.request, upstream).body ?? '') as JsonObject;
    expect(body).toMatchObject({
      messages: [{ role: 'system', content: described }, { role: 'user' }],
      response_format: { type: 'json_object' },
    });
  });

  test('replaces the schema with json_object and an instruction at Baidu', () => {
    const wenxinChat = toChatAdaptor(wireOf(baidu, { key: 'id|secret' }));
    const fitted = fitRequest(readChatRequest({ messages: [user], response_format: jsonSchema }), wenxinChat);
    expect(fitted.ignored).toEqual(['response_format.json_schema']);
    expect(JSON.parse(wenxinChat.encode(fitted.request, upstream).body ?? '')).toMatchObject({
      system: described,
      response_format: 'json_object',
    });
  });
});

describe('json_object for vendors that only enforce schemas', () => {
  const requested = (messages: readonly JsonObject[]) =>
    readChatRequest({ messages, response_format: { type: 'json_object' } });
  const sent = (adaptor: ChatAdaptor, messages: readonly JsonObject[]) => {
    const { request, ignored } = fitRequest(requested(messages), adaptor);
    return { ignored, body: JSON.parse(adaptor.encode(request, upstream).body ?? '') as JsonObject };
  };

  const claude = toChatAdaptor(wireOf(anthropic));

  test('replaces json_object with an instruction for Claude', () => {
    const { body, ignored } = sent(claude, [{ role: 'system', content: 'Be brief' }, user]);
    expect(ignored).toEqual(['response_format.json_object']);
    expect(body['system']).toMatch(/^Be brief\n\nRespond with a single valid JSON object\./);
    expect(body).not.toHaveProperty('output_config');
    expect(sent(claude, [user]).body['system']).toMatch(/^Respond with/);
  });

  test('puts the instruction after a cached prompt', () => {
    const cached = { type: 'text', text: 'Be brief', cache_control: { type: 'ephemeral' } };
    const { body } = sent(claude, [{ role: 'system', content: [cached] }, user]);
    expect(body['system']).toEqual([cached, { type: 'text', text: expect.stringContaining('JSON') }]);
  });

  test('replaces json_object with an instruction for Converse models', () => {
    const converse = toChatAdaptor(wireOf(bedrock));
    const { request, ignored } = fitRequest(requested([user]), converse);
    expect(ignored).toEqual(['response_format.json_object']);
    expect(JSON.parse(converse.encode(request, upstream).body ?? '')).toMatchObject({
      system: [{ text: expect.stringContaining('JSON') }],
    });
  });
});
