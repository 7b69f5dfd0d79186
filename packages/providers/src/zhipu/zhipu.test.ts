import { RequestProblem } from '@headgate/dialects';
import { describe, expect, test } from 'vitest';
import { clampedFields } from '../fit-request.ts';
import type { EndpointName, JsonObject } from '../provider.ts';
import { testUpstream } from '../testing/chat-cases.ts';
import { passThroughEndpoint } from '../testing/pass-through-endpoint.ts';
import { zhipu } from './index.ts';

const endpoint = (name: EndpointName) => passThroughEndpoint(zhipu, name);

const token =
  'eyJhbGciOiJIUzI1NiIsInNpZ25fdHlwZSI6IlNJR04ifQ.' +
  'eyJhcGlfa2V5Ijoia2lkIiwiZXhwIjoxNzM1Nzc2MDAwMDAwLCJ0aW1lc3RhbXAiOjE3MzU2ODk2MDAwMDB9.' +
  '6H7PegxhoOROr-4H8GhPt-vtOOM47OmuQ0n4elRt2Lw';

test('signs a token with a two-part key and does not send the key', () => {
  expect(endpoint('chat').send({ ...testUpstream, key: 'kid.ksecret' })).toEqual({
    url: 'https://upstream.test/api/paas/v4/chat/completions',
    headers: { authorization: `Bearer ${token}` },
  });
});

test.each(['plain-key', 'a.b.c', '.x', 'x.'])('sends any other key unchanged: %s', (key) => {
  expect(endpoint('embeddings').send({ ...testUpstream, key })).toEqual({
    url: 'https://upstream.test/api/paas/v4/embeddings',
    headers: { authorization: `Bearer ${key}` },
  });
});

test("uses Zhipu's URLs for images and models", () => {
  expect(endpoint('images').send(testUpstream).url).toBe('https://upstream.test/api/paas/v4/images/generations');
  expect(zhipu.modelList?.request({ ...testUpstream, key: 'kid.ksecret' })).toEqual({
    method: 'GET',
    url: 'https://upstream.test/api/paas/v4/models',
    headers: { authorization: `Bearer ${token}` },
  });
});

describe('Zhipu chat changes', () => {
  const patched = (body: JsonObject) => endpoint('chat').patch?.(body, testUpstream);

  test("clamps temperature and top_p to Zhipu's range", () => {
    const { ranges = {} } = endpoint('chat');
    expect(clampedFields(ranges, { temperature: 2, top_p: 0 })).toEqual({ temperature: 1, top_p: 0.01 });
    expect(clampedFields(ranges, { temperature: -1, top_p: 1.5 })).toEqual({ temperature: 0, top_p: 1 });
    expect(clampedFields(ranges, { temperature: 0.7, top_p: 0.9 })).toEqual({});
  });

  test('turns a single stop into a list and renames the limit', () => {
    expect(patched({ stop: 'END', max_completion_tokens: 9 })).toEqual({
      stop: ['END'],
      max_tokens: 9,
      max_completion_tokens: undefined,
    });
    expect(patched({ stop: ['END'] })).toEqual({});
  });

  test('enables or disables reasoning by effort, unless the client sets it explicitly', () => {
    expect(patched({ reasoning_effort: 'high' })).toEqual({ thinking: { type: 'enabled' } });
    expect(patched({ reasoning_effort: 'none' })).toEqual({ thinking: { type: 'disabled' } });
    expect(patched({ reasoning_effort: 'high', thinking: { type: 'disabled' } })).toEqual({});
  });
});

test('returns images by URL only', () => {
  const patched = (body: JsonObject) => endpoint('images').patch?.(body, testUpstream);
  expect(() => patched({ response_format: 'b64_json' })).toThrow(RequestProblem);
  expect(patched({ response_format: 'url', user: 'ada' })).toEqual({ user: undefined, user_id: 'ada' });
});

test.each([
  [400, '1113', 402],
  [429, '1113', 402],
  [400, '1002', 401],
])('maps a %i response with code %s to %i', (status, code, shown) => {
  expect(endpoint('chat').readProblem?.(status, { error: { code, message: 'no' } })).toMatchObject({
    status: shown,
    message: 'no',
    code,
  });
});

test.each([{ error: { code: '1302', message: 'slow' } }, {}, null, 'x', { error: 'x' }])(
  'uses the default error reader for other errors: %j',
  (body) => {
    expect(endpoint('chat').readProblem?.(429, body)).toBeUndefined();
  },
);
