import { RequestProblem, UpstreamProblem } from '@headgate/dialects';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../provider.ts';
import { testUpstream } from '../testing/chat-cases.ts';
import { passThroughEndpoint } from '../testing/pass-through-endpoint.ts';
import { generation } from './chat.ts';
import { ali, aliImages } from './index.ts';

const chosen = (fields: JsonObject) =>
  typeof ali.chat === 'function' ? ali.chat({ ...testUpstream, ...fields }) : undefined;

test('passes chat requests through unless the channel has a plugin', () => {
  expect(chosen({ other: 'x' })).toBe(generation);
  expect(chosen({ config: { plugin: 'x' } })).toBe(generation);
  expect(passThroughEndpoint(ali, 'chat').send(testUpstream)).toEqual({
    url: 'https://upstream.test/compatible-mode/v1/chat/completions',
    headers: { authorization: 'Bearer test-key' },
  });
  expect(passThroughEndpoint(ali, 'embeddings').send(testUpstream).url).toBe(
    'https://upstream.test/compatible-mode/v1/embeddings',
  );
  expect(ali.modelList?.request(testUpstream).url).toBe('https://upstream.test/compatible-mode/v1/models');
});

test('adapts a chat request to DashScope', () => {
  const patched = (body: JsonObject, model = 'qwen-plus') =>
    passThroughEndpoint(ali, 'chat').patch?.(body, { ...testUpstream, model });
  expect(passThroughEndpoint(ali, 'chat').ranges).toEqual({ top_p: [0.0001, 0.9999], temperature: [0, 1.9999] });
  expect(patched({ temperature: 0.3 })).toEqual({});
  expect(patched({}, 'qwen-max-internet')).toEqual({ model: 'qwen-max', enable_search: true });
  expect(patched({ reasoning_effort: 'high' })).toEqual({ enable_thinking: true });
  expect(patched({ reasoning_effort: 'minimal' })).toEqual({ enable_thinking: false });
  expect(patched({ reasoning_effort: 'high', enable_thinking: false })).toEqual({});
});

test.each([
  [400, 'Arrearage', 402],
  [403, 'AllocationQuota.FreeTierOnly', 402],
  [403, 'Model.AccessDenied', 403],
  [429, 'limit_requests', 429],
  [400, 'data_inspection_failed', 400],
  [418, 'SomethingNew', 418],
])('maps a %i response with %s to %i', (status, code, shown) => {
  const { readProblem } = passThroughEndpoint(ali, 'chat');
  expect(readProblem?.(status, { error: { code, message: 'no' } })).toMatchObject({
    status: shown,
    message: 'no',
    code,
  });
  expect(readProblem?.(status, { code, message: 'no' })).toMatchObject({ status: shown });
  expect(readProblem?.(status, { error: { message: 'no' } })).toBeUndefined();
});

test('maps exceeded tokens per minute to 429, although other vendors use the same code for an exhausted account', () => {
  const { readProblem } = passThroughEndpoint(ali, 'chat');
  const words = 'You exceeded your current quota';
  expect(readProblem?.(429, { error: { code: 'insufficient_quota', message: words } })).toMatchObject({
    status: 429,
    code: 'Throttling.AllocationQuota',
  });
});

describe('DashScope images', () => {
  const encoded = (body: JsonObject, model = 'wanx-v1') => aliImages.encode(body, { ...testUpstream, model });

  test('requests images as a task', () => {
    const { body, ...request } = encoded({ prompt: 'a dot', size: '1024x768', n: 2 });
    expect(request).toEqual({
      method: 'POST',
      url: 'https://upstream.test/api/v1/services/aigc/text2image/image-synthesis',
      headers: {
        'content-type': 'application/json',
        authorization: 'Bearer test-key',
        'x-dashscope-async': 'enable',
      },
    });
    expect(JSON.parse(body ?? '')).toEqual({
      model: 'wanx-v1',
      input: { prompt: 'a dot' },
      parameters: { size: '1024*768', n: 2 },
    });
  });

  test('requests images from synchronous models at the multimodal chat endpoint', () => {
    const { url, headers, body } = encoded({ prompt: 'a dot', size: 'auto' }, 'qwen-image-plus');
    expect(url).toBe('https://upstream.test/api/v1/services/aigc/multimodal-generation/generation');
    expect(headers).not.toHaveProperty('x-dashscope-async');
    expect(JSON.parse(body ?? '')).toEqual({
      model: 'qwen-image-plus',
      input: { messages: [{ role: 'user', content: [{ text: 'a dot' }] }] },
      parameters: {},
    });
    const response = { output: { choices: [{ message: { content: [{ image: 'https://p.example/1.png' }] } }] } };
    expect(aliImages.decode(response, testUpstream)).toEqual({
      reply: { created: 1_735_689_600, data: [{ url: 'https://p.example/1.png' }] },
    });
  });

  test.each(['PENDING', 'RUNNING'])('polls a task that is %s', (status) => {
    expect(aliImages.decode({ output: { task_id: 't/1', task_status: status } }, testUpstream)).toEqual({
      next: {
        method: 'GET',
        url: 'https://upstream.test/api/v1/tasks/t%2F1',
        headers: { authorization: 'Bearer test-key' },
      },
      afterMs: 2000,
    });
  });

  test('returns the URLs of finished images, without failed ones', () => {
    const results = [{ url: 'https://p.example/1.png', actual_prompt: 'one dot' }, { code: 'InternalError' }];
    expect(aliImages.decode({ output: { task_status: 'SUCCEEDED', results } }, testUpstream)).toEqual({
      reply: { created: 1_735_689_600, data: [{ url: 'https://p.example/1.png', revised_prompt: 'one dot' }] },
    });
  });

  test.each([
    [{ output: { task_status: 'FAILED', code: 'DataInspectionFailed', message: 'no' } }, 400],
    [{ output: { task_status: 'SUCCEEDED', results: [{ code: 'Throttling', message: 'slow' }] } }, 429],
    [{ output: { task_status: 'UNKNOWN' } }, 502],
    [{ output: { task_status: 'PENDING' } }, 502],
    [{ code: 'InvalidApiKey', message: 'no' }, 401],
    [null, 502],
    [{}, 502],
  ])('fails on the task response %j', (body, status) => {
    expect(() => aliImages.decode(body, testUpstream)).toThrow(UpstreamProblem);
    expect(() => aliImages.decode(body, testUpstream)).toThrow(expect.objectContaining({ status }));
  });

  test.each([{ response_format: 'b64_json' }, { quality: 'hd' }, { style: 'vivid' }])(
    'rejects a field that DashScope does not support and names it: %j',
    (field) => {
      expect(() => encoded({ prompt: 'a dot', ...field })).toThrow(RequestProblem);
      expect(() => encoded({ prompt: 'a dot', ...field })).toThrow(Object.keys(field)[0]);
    },
  );
});
