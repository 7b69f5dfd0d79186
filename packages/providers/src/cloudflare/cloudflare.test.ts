import { expect, test } from 'vitest';
import type { JsonObject, Upstream } from '../provider.ts';
import { testUpstream } from '../testing/chat-cases.ts';
import { cloudflare, completions } from './index.ts';

const model = '@cf/meta/llama-3.1-8b-instruct';
const direct: Upstream = {
  ...testUpstream,
  baseUrl: 'https://api.cloudflare.com',
  config: { user_id: 'acct1' },
  model,
};
const atGateway = { ...direct, baseUrl: 'https://gateway.ai.cloudflare.com/v1/acct2/gate/workers-ai', config: {} };

const urlOf = (name: 'chat' | 'embeddings', upstream: Upstream) => {
  const endpoint = cloudflare[name];
  if (typeof endpoint !== 'object' || endpoint.kind !== 'pass') throw new Error('not passed through');
  expect(endpoint.send(upstream).headers).toEqual({ authorization: 'Bearer test-key' });
  return endpoint.send(upstream).url;
};

test("passes chat and embeddings through at the account's URL or the AI gateway's URL", () => {
  expect(urlOf('chat', direct)).toBe('https://api.cloudflare.com/client/v4/accounts/acct1/ai/v1/chat/completions');
  expect(urlOf('embeddings', direct)).toBe('https://api.cloudflare.com/client/v4/accounts/acct1/ai/v1/embeddings');
  expect(urlOf('chat', atGateway)).toBe(`${atGateway.baseUrl}/v1/chat/completions`);
  expect(() => urlOf('chat', { ...direct, config: {} })).toThrow('account ID');
  expect(urlOf('chat', { ...direct, config: { user_id: '../x' } })).toContain('/accounts/..%2Fx/ai/');
});

test("sends a bare prompt to the model's own endpoint", () => {
  const request = completions.encode({ prompt: 'Hi', max_tokens: 5, temperature: 0.5, n: 1, stream: false }, direct);
  expect({ ...request, body: JSON.parse(request.body ?? '') as unknown }).toEqual({
    method: 'POST',
    url: `https://api.cloudflare.com/client/v4/accounts/acct1/ai/run/${model}`,
    headers: { 'content-type': 'application/json', authorization: 'Bearer test-key' },
    body: { prompt: 'Hi', max_tokens: 5, temperature: 0.5 },
  });
  expect(completions.encode({ prompt: 'Hi' }, atGateway).url).toBe(`${atGateway.baseUrl}/${model}`);
  expect(() => completions.encode({ prompt: 'Hi' }, { ...direct, model: '../../x' })).toThrow('Model not found');
  expect(completions.encode({ prompt: 'Hi' }, { ...direct, model: '@cf/a?b#c' }).url).toContain('/run/@cf/a%3Fb%23c');
});

test('drops hints from a bare prompt and reports their names', () => {
  const requestBody = { prompt: 'Hi', stop: ['a'], logit_bias: { 1: 1 }, user: 'ada', temperature: 1 };
  expect(completions.drops?.(requestBody, direct)).toEqual(['stop', 'logit_bias', 'user']);
  expect(JSON.parse(completions.encode(requestBody, direct).body ?? '')).toEqual({ prompt: 'Hi', temperature: 1 });
});

test.each([
  [{ stream: true }, 'stream'],
  [{ n: 2 }, 'n'],
  [{ prompt: ['a', 'b'] }, 'prompt'],
] as [JsonObject, string][])('rejects %j and names the field', (fields, name) => {
  expect(() => completions.encode({ prompt: 'Hi', ...fields }, direct)).toThrow(
    expect.objectContaining({ param: name }),
  );
});

test("converts Cloudflare's response to OpenAI's format", () => {
  const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
  expect(completions.decode({ result: { response: 'Hello', usage }, success: true }, direct)).toEqual({
    reply: {
      id: 'cmpl-00000000-0000-4000-8000-000000000001',
      object: 'text_completion',
      created: 1_735_689_600,
      model: 'asked-model',
      choices: [{ index: 0, text: 'Hello', logprobs: null, finish_reason: 'stop' }],
      usage,
    },
    usage: { promptTokens: 3, completionTokens: 4 },
  });
  expect(completions.decode({ result: { response: '' } }, direct)).not.toHaveProperty('usage');
});

test.each([
  [{ success: false, errors: [{ code: 10000, message: 'Authentication error' }] }, 'Authentication error'],
  [null, 'no text'],
  [{ result: [] }, 'no text'],
])('fails on %j', (body, message) => {
  expect(() => completions.decode(body, direct)).toThrow(message);
});

test('lists models for text and embeddings', () => {
  const result = [
    { name: '@cf/meta/llama', task: { name: 'Text Generation' } },
    { name: '@cf/baai/bge', task: { name: 'Text Embeddings' } },
    { name: '@cf/openai/whisper', task: { name: 'Automatic Speech Recognition' } },
    null,
  ];
  expect(cloudflare.modelList?.read({ result })).toEqual(['@cf/meta/llama', '@cf/baai/bge']);
  const list = (upstream: Upstream) => cloudflare.modelList?.request(upstream).url;
  expect(list(direct)).toBe('https://api.cloudflare.com/client/v4/accounts/acct1/ai/models/search?per_page=1000');
  expect(list(atGateway)).toBe('https://api.cloudflare.com/client/v4/accounts/acct2/ai/models/search?per_page=1000');
});
