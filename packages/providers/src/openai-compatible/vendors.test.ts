import { describe, expect, test } from 'vitest';
import type { EndpointName, JsonObject, Provider, Upstream } from '../provider.ts';
import { testUpstream } from '../testing/chat-cases.ts';
import { passThroughEndpoint } from '../testing/pass-through-endpoint.ts';
import { readModelIds } from './pass-through.ts';
import * as vendors from './vendors.ts';

const at = (provider: Provider, name: EndpointName, upstream: Partial<Upstream> = {}) => {
  const whole = { ...testUpstream, baseUrl: provider.baseUrl, ...upstream };
  return passThroughEndpoint(provider, name, whole).send(whole);
};

const patched = (provider: Provider, body: JsonObject, model = 'test-model') =>
  passThroughEndpoint(provider, 'chat').patch?.(body, { ...testUpstream, model });

describe('vendor URLs', () => {
  test.each([
    [vendors.openai, 'chat', 'https://api.openai.com/v1/chat/completions'],
    [vendors.openai, 'speech', 'https://api.openai.com/v1/audio/speech'],
    [vendors.openai, 'imageEdits', 'https://api.openai.com/v1/images/edits'],
    [vendors.openRouter, 'chat', 'https://openrouter.ai/api/v1/chat/completions'],
    [vendors.groq, 'transcriptions', 'https://api.groq.com/openai/v1/audio/transcriptions'],
    [vendors.miniMax, 'chat', 'https://api.minimax.chat/v1/text/chatcompletion_v2'],
    [vendors.doubao, 'chat', 'https://ark.cn-beijing.volces.com/api/v3/chat/completions'],
    [vendors.doubao, 'embeddings', 'https://ark.cn-beijing.volces.com/api/v3/embeddings'],
    [vendors.doubao, 'images', 'https://ark.cn-beijing.volces.com/api/v3/images/generations'],
    [vendors.novita, 'chat', 'https://api.novita.ai/v3/openai/chat/completions'],
    [vendors.deepSeek, 'completions', 'https://api.deepseek.com/beta/completions'],
    [vendors.mistral, 'embeddings', 'https://api.mistral.ai/v1/embeddings'],
    [vendors.mistral, 'ocr', 'https://api.mistral.ai/v1/ocr'],
  ] as const)("builds the vendor's URL for an endpoint (row %#)", (provider, name, url) => {
    expect(at(provider, name)).toMatchObject({ url, headers: { authorization: 'Bearer test-key' } });
  });

  test('returns no URL for an endpoint that the vendor does not have', () => {
    expect(vendors.miniMax.embeddings).toBeUndefined();
    expect(vendors.doubao.speech).toBeUndefined();
    expect(vendors.fastGpt.modelList).toBeUndefined();
  });

  test("omits the version behind Cloudflare's gateway, for endpoints and models", () => {
    const baseUrl = 'https://gateway.ai.cloudflare.com/v1/account/gateway/openai';
    expect(at(vendors.openai, 'chat', { baseUrl }).url).toBe(`${baseUrl}/chat/completions`);
    expect(vendors.openai.modelList?.request({ ...testUpstream, baseUrl }).url).toBe(`${baseUrl}/models`);
    expect(at(vendors.closeAi, 'chat', { baseUrl }).url).toBe(`${baseUrl}/v1/chat/completions`);
  });

  test('sends the application name to OpenRouter', () => {
    expect(at(vendors.openRouter, 'chat').headers).toEqual({
      authorization: 'Bearer test-key',
      'x-title': 'Headgate',
    });
    expect(at(vendors.openRouter, 'chat', { config: { referer: 'https://a.example', title: 'A' } }).headers).toEqual({
      authorization: 'Bearer test-key',
      'http-referer': 'https://a.example',
      'x-title': 'A',
    });
  });
});

describe('limit field name', () => {
  test.each(['o1', 'o3-mini', 'o4-mini-2025-04-16', 'gpt-5', 'gpt-5.1-chat'])('uses the new name for %s', (model) => {
    expect(patched(vendors.openai, { max_tokens: 5 }, model)).toEqual({
      max_tokens: undefined,
      max_completion_tokens: 5,
    });
    expect(patched(vendors.openai, { max_tokens: 5, max_completion_tokens: 4 }, model)).toEqual({
      max_tokens: undefined,
      max_completion_tokens: 4,
    });
    expect(patched(vendors.custom, { max_completion_tokens: 4 }, model)).toEqual({});
  });

  test.each(['gpt-4o', 'chatgpt-4o-latest', 'omni', 'gpt-4.1'])("keeps the client's name for %s", (model) => {
    expect(patched(vendors.openai, { max_tokens: 5 }, model)).toEqual({});
  });

  test.each([
    ['DeepSeek', vendors.deepSeek],
    ['Baichuan', vendors.baichuan],
    ['SiliconFlow', vendors.siliconFlow],
    ['Mistral', vendors.mistral],
  ] as const)('uses the old name at %s', (_, provider) => {
    expect(patched(provider, { max_completion_tokens: 7 })).toEqual({
      max_tokens: 7,
      max_completion_tokens: undefined,
    });
    expect(patched(provider, { max_tokens: 7 })).toEqual({});
  });
});

describe('system role name', () => {
  const messages = [
    { role: 'developer', content: 'Be brief' },
    { role: 'user', content: 'Hello' },
  ];

  test.each([
    ['DeepSeek', vendors.deepSeek],
    ['Groq', vendors.groq],
    ['MiniMax', vendors.miniMax],
    ['Doubao', vendors.doubao],
    ['Mistral', vendors.mistral],
  ] as const)('renames the role to system at %s', (_, provider) => {
    expect(patched(provider, { messages })).toEqual({
      messages: [{ role: 'system', content: 'Be brief' }, messages[1]],
    });
    for (const odd of [[], [null, 5], 'x', undefined]) expect(patched(provider, { messages: odd })).toEqual({});
  });

  test("keeps the client's role at OpenAI", () => {
    expect(patched(vendors.openai, { messages })).toEqual({});
  });
});

test("uses a separate chat endpoint for Doubao's bots", () => {
  expect(at(vendors.doubao, 'chat', { model: 'bot-2025' }).url).toBe(
    'https://ark.cn-beijing.volces.com/api/v3/bots/chat/completions',
  );
});

test('renames the seed and omits stream options for Mistral', () => {
  expect(patched(vendors.mistral, { seed: 3 })).toEqual({ seed: undefined, random_seed: 3 });
  expect(passThroughEndpoint(vendors.mistral, 'chat').rejectsStreamOptions).toBe(true);
});

describe('MiniMax errors inside a 200', () => {
  const { hiddenError } = passThroughEndpoint(vendors.miniMax, 'chat');

  test.each([
    [1002, 429],
    [1004, 401],
    [1008, 402],
    [1026, 400],
    [2013, 400],
    [2049, 401],
    [1013, 502],
    [9999, 502],
  ])('maps error number %i to %i', (code, status) => {
    expect(hiddenError?.field).toBe('base_resp');
    expect(hiddenError?.read({ base_resp: { status_code: code, status_msg: 'no' } })).toMatchObject({
      status,
      message: 'no',
      code: String(code),
    });
  });

  test('reports no error on success', () => {
    for (const reported of [{ status_code: 0, status_msg: '' }, null, 'x', {}]) {
      expect(hiddenError?.read({ choices: [], base_resp: reported })).toBeUndefined();
    }
  });
});

test("maps Moonshot's exhausted account to 402, not to a rate limit", () => {
  const { readProblem } = passThroughEndpoint(vendors.moonshot, 'chat');
  const error = { message: 'your account is suspended', type: 'exceeded_current_quota_error' };
  expect(readProblem?.(429, { error })).toMatchObject({ status: 402, message: error.message });
  expect(readProblem?.(429, { error: { message: 'slow', type: 'rate_limit_reached_error' } })).toBeUndefined();
});

describe('vendor model lists', () => {
  test.each([
    [vendors.openai, 'https://api.openai.com/v1/models'],
    [vendors.doubao, 'https://ark.cn-beijing.volces.com/api/v3/models'],
    [vendors.novita, 'https://api.novita.ai/v3/openai/models'],
    [vendors.deepSeek, 'https://api.deepseek.com/models'],
  ])("builds the vendor's URL for the model list (row %#)", (provider, url) => {
    expect(provider.modelList?.request({ ...testUpstream, baseUrl: provider.baseUrl })).toEqual({
      method: 'GET',
      url,
      headers: { authorization: 'Bearer test-key' },
    });
  });

  test('reads a model list with or without its envelope, and ignores other values', () => {
    const rows = [{ id: 'a' }, { id: 5 }, null, 'b', { id: 'c', object: 'model' }];
    expect(readModelIds({ object: 'list', data: rows })).toEqual(['a', 'c']);
    expect(readModelIds(rows)).toEqual(['a', 'c']);
    for (const odd of [null, undefined, 'x', {}, { data: 'x' }]) expect(readModelIds(odd)).toEqual([]);
  });
});
