import { channelRuleLimits, checkChannelRules, readChannelRules } from '@headgate/contract';
import { fallbackModelFields, type JsonObject, routingFields } from '@headgate/dialects';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyHeaderRules } from './apply-header-rules.ts';
import { applyRules, type RuledRequest } from './apply-rules.ts';
import { readRules } from './read-rules.ts';

const request: RuledRequest = {
  model: 'gpt-4o',
  dialect: 'openai',
  endpoint: 'conversations',
  outputLimit: undefined,
  allowed: [],
};

const rule = (then: readonly object[], when: object = {}) => ({ name: 'rule', when, then });

function applied(rules: readonly object[], body: JsonObject, more: Partial<RuledRequest> = {}) {
  const read = readRules(JSON.stringify(rules));
  if (!read) throw new Error(JSON.stringify(checkChannelRules(rules).problem));
  return applyRules(read, { ...request, ...more }, body);
}
const bodyAfter = (then: readonly object[], body: JsonObject, more: Partial<RuledRequest> = {}) =>
  applied([rule(then)], body, more).body;
const problemOf = (...then: readonly object[]) => checkChannelRules([rule(then)]).problem;

describe('body actions', () => {
  it.each([
    [{ do: 'set', path: 'top_k', value: 5 }, { top_k: 1 }, { top_k: 5 }],
    [{ do: 'set', path: 'a.b.c', value: [1] }, {}, { a: { b: { c: [1] } } }],
    [{ do: 'set', path: 'stop.1', value: 'z' }, { stop: ['x', 'y'] }, { stop: ['x', 'z'] }],
    [{ do: 'set', path: 'stop.2', value: 'z' }, { stop: ['x', 'y'] }, { stop: ['x', 'y'] }],
    [{ do: 'set', path: 'stop.length', value: 0 }, { stop: ['x'] }, { stop: ['x'] }],
    [{ do: 'set', path: 'user.name', value: 'z' }, { user: 'ada' }, { user: 'ada' }],
    [{ do: 'default', path: 'top_p', value: 0.5 }, { top_p: 1 }, { top_p: 1 }],
    [{ do: 'default', path: 'top_p', value: 0.5 }, {}, { top_p: 0.5 }],
    [{ do: 'remove', path: 'a.b' }, { a: { b: 1, c: 2 } }, { a: { c: 2 } }],
    [{ do: 'remove', path: 'stop.0' }, { stop: ['x', 'y'] }, { stop: ['y'] }],
    [{ do: 'rename', path: 'user', to: 'metadata.user_id' }, { user: 'ada' }, { metadata: { user_id: 'ada' } }],
    [{ do: 'rename', path: 'user', to: 'end_user' }, { top_p: 1 }, { top_p: 1 }],
    [
      { do: 'rename', path: 'max_tokens', to: 'max_completion_tokens' },
      { max_tokens: 9 },
      { max_completion_tokens: 9 },
    ],
  ])('%j', (action, before, after) => {
    const copy = structuredClone(before) as JsonObject;
    expect(bodyAfter([action], before as JsonObject)).toEqual(after);
    expect(before).toEqual(copy);
  });

  it('returns the same body when nothing changes', () => {
    const body = { model: 'gpt-4o', top_p: 1 };
    expect(bodyAfter([{ do: 'default', path: 'top_p', value: 0 }], body)).toBe(body);
  });

  it('applies rules in order, each to the result of the rules before it', () => {
    const rules = [
      rule([{ do: 'set', path: 'a', value: 1 }]),
      rule([{ do: 'set', path: 'b', value: 2 }], { fields: [{ is: 'equals', path: 'a', value: 1 }] }),
      rule([{ do: 'set', path: 'c', value: 3 }], { fields: [{ is: 'missing', path: 'b' }] }),
    ];
    expect(applied(rules, {}).body).toEqual({ a: 1, b: 2 });
  });

  it("adds or lowers an output limit, but never raises the client's limit", () => {
    const set = [{ do: 'set', path: 'generationConfig.maxOutputTokens', value: 500 }];
    const limitOf = (outputLimit: number | undefined) => bodyAfter(set, {}, { outputLimit })['generationConfig'];
    expect(limitOf(undefined)).toEqual({ maxOutputTokens: 500 });
    expect(limitOf(900)).toEqual({ maxOutputTokens: 500 });
    expect(limitOf(100)).toEqual({ maxOutputTokens: 100 });
  });

  it('leaves a form body unchanged', () => {
    const body = { language: 'en' };
    expect(bodyAfter([{ do: 'set', path: 'language', value: 'de' }], body, { isFixedBody: true })).toBe(body);
  });
});

describe('conditions', () => {
  it.each<[object, boolean]>([
    [{ models: ['gpt-*'] }, true],
    [{ models: ['claude-*', '*4o'] }, true],
    [{ models: ['claude-*'] }, false],
    [{ dialects: ['openai'] }, true],
    [{ dialects: ['gemini'] }, false],
    [{ endpoints: ['embeddings'] }, false],
    [{ endpoints: ['conversations'], dialects: ['openai'], models: ['gpt-4o'] }, true],
    [{ fields: [{ is: 'exists', path: 'a.b' }] }, true],
    [{ fields: [{ is: 'exists', path: 'a.c' }] }, false],
    [{ fields: [{ is: 'missing', path: 'a.c' }] }, true],
    [{ fields: [{ is: 'equals', path: 'a', value: { b: 'text here' } }] }, true],
    [{ fields: [{ is: 'matches', path: 'a.b', pattern: '*ext*' }] }, true],
    [{ fields: [{ is: 'matches', path: 'a', pattern: '*' }] }, false],
    [{ fields: [{ is: 'exists', path: 'a.b.length' }] }, false],
  ])('%j: %s', (when, isMatch) => {
    const { names } = applied([rule([{ do: 'status', status: 400, retryable: true }], when)], {
      a: { b: 'text here' },
    });
    expect(names).toEqual(isMatch ? ['rule'] : []);
  });
});

it('rejects a request with the message of the rule', () => {
  expect(() => bodyAfter([{ do: 'reject', message: 'Use v2' }], {})).toThrow(
    expect.objectContaining({ status: 400, code: 'rejected_by_rule', message: 'Use v2' }),
  );
});

describe('fields with a cost', () => {
  const forbidden = expect.objectContaining({ code: 'rule_not_allowed' });

  it.each([
    { do: 'set', path: 'service_tier', value: 'priority' },
    { do: 'set', path: 'parameters.Service-Tier', value: 'priority' },
    { do: 'set', path: 'parameters', value: { serviceTier: 'priority' } },
    { do: 'set', path: 'parameters.enable_search', value: true },
    { do: 'set', path: 'a.b', value: [{ web_search_options: {} }] },
    { do: 'set', path: 'extra_body', value: { top_k: 1 } },
    { do: 'default', path: 'background', value: true },
    { do: 'set', path: 'parameters.webhook', value: 'https://example.com' },
  ])('does not write an unpriced field: %j', (action) => {
    expect(() => bodyAfter([action], {})).toThrow(forbidden);
  });

  it('writes an unpriced field that the operator allows, but never one that defers the response', () => {
    const tier = { do: 'set', path: 'service_tier', value: 'priority' };
    expect(bodyAfter([tier], {}, { allowed: ['service_tier'] })).toEqual({ service_tier: 'priority' });
    const deferred = { do: 'set', path: 'deferred', value: true };
    expect(() => bodyAfter([deferred], {}, { allowed: ['deferred'] })).toThrow(forbidden);
  });

  it('does not rename client data to a field with a cost', () => {
    const rename = (to: string) => [{ do: 'rename', path: 'x', to }];
    expect(() => bodyAfter(rename('service_tier'), { x: 'priority' })).toThrow(forbidden);
    expect(() => bodyAfter(rename('parameters'), { x: { n: 9 } })).toThrow(forbidden);
    expect(() => bodyAfter(rename('parameters'), { x: { tools: [] } })).toThrow(forbidden);
  });

  it.each([
    { do: 'remove', path: 'options' },
    { do: 'set', path: 'options', value: {} },
    { do: 'rename', path: 'top_p', to: 'options' },
  ])('does not replace an object that contains an output limit: %j', (action) => {
    expect(() => bodyAfter([action], { options: { num_predict: 1 }, top_p: 1 })).toThrow(forbidden);
  });

  const classified = ['response_format', 'thinking', 'enable_thinking', 'thinking_budget', 'reasoning_effort'];

  it.each([...routingFields, ...fallbackModelFields].filter((name) => !classified.includes(name)))(
    'the schema rejects writing the field %s',
    (name) => {
      for (const path of [name, `parameters.${name}`, name.toUpperCase(), name.replaceAll('_', '')])
        expect(problemOf({ do: 'set', path, value: 'x' }), path).toBeDefined();
      expect(problemOf({ do: 'set', path: 'parameters', value: [{ [name]: 1 }] })).toBeDefined();
    },
  );
});

it.each([
  { do: 'set', path: '__proto__.x', value: 1 },
  { do: 'set', path: 'a.constructor.prototype', value: 1 },
  { do: 'set', path: 'a..b', value: 1 },
  { do: 'set', path: 'a.b.c.d.e.f.g.h.i', value: 1 },
  { do: 'set', path: 'a', value: 'x'.repeat(20_000) },
  { do: 'set', path: 'a', value: 'Bearer {api_key}' },
  { do: 'set', path: 'messages.0.content', value: 'x' },
  { do: 'set', path: 'max_tokens', value: 'many' },
  { do: 'set', path: 'max_tokens.x', value: 1 },
  { do: 'remove', path: 'max_tokens' },
  { do: 'remove', path: 'stream' },
  { do: 'rename', path: 'max_tokens', to: 'x' },
  { do: 'rename', path: 'max_tokens', to: 'metadata.max_tokens' },
  { do: 'rename', path: 'x', to: 'max_tokens' },
  { do: 'rename', path: 'x', to: 'model' },
  { do: 'rename', path: 'messages', to: 'x' },
  { do: 'rename', path: 'a', to: 'a.b' },
  { do: 'set_header', header: 'x-a', value: 'a\r\nb: c' },
  { do: 'set_header', header: 'x-a', value: 'a\u0000' },
  { do: 'set_header', header: 'x-a', value: 'ä' },
  { do: 'set_header', header: 'x a', value: 'a' },
  { do: 'set_header', header: 'x-a:b', value: 'a' },
  { do: 'set_header', header: 'Host', value: 'example.com' },
  { do: 'set_header', header: 'Transfer-Encoding', value: 'chunked' },
  { do: 'set_header', header: 'Content-Length', value: '1' },
  { do: 'set_header', header: 'Authorization', value: 'Bearer other' },
  { do: 'set_header', header: 'X-DashScope-Async', value: 'enable' },
  { do: 'remove_header', header: 'Authorization' },
  { do: 'pass_header', header: 'Authorization' },
  { do: 'pass_header', header: 'Cookie' },
  { do: 'pass_header', header: 'X-Api-Key' },
  { do: 'pass_header', header: 'x-forwarded-for' },
  { do: 'status', status: 200, retryable: true },
  { do: 'reject', message: 'a\nb' },
  { do: 'run', path: 'x' },
])('the schema rejects %j', (action) => {
  expect(problemOf(action)).toMatchObject({ place: expect.stringMatching(/^0\.then\.0/) });
});

it('deeply nested rules are invalid', () => {
  const deep = `${'['.repeat(40_000)}${']'.repeat(40_000)}`;
  expect(readChannelRules(deep).problem).toBeDefined();
  const nested = `[{"name":"a","then":[{"do":"set","path":"x","value":${'['.repeat(30)}${']'.repeat(30)}}]}]`;
  expect(readChannelRules(nested).problem?.message).toBe('The value is nested too deeply');
});

it('[A71.4] the schema rejects more than 100 actions in all rules', () => {
  const one = rule(Array(10).fill({ do: 'default', path: 'top_p', value: 1 }));
  expect(checkChannelRules(Array(10).fill(one)).problem).toBeUndefined();
  expect(checkChannelRules(Array(11).fill(one)).problem).toBeDefined();
});

it('the schema rejects more than 50 rules', () => {
  const one = rule([{ do: 'status', status: 400, retryable: true }]);
  expect(checkChannelRules(Array(channelRuleLimits.rules).fill(one)).problem).toBeUndefined();
  expect(checkChannelRules(Array(channelRuleLimits.rules + 1).fill(one)).problem).toBeDefined();
});

describe('headers', () => {
  const key = 'sk-secret';
  const headersAfter = (then: readonly object[], headers: Record<string, string>, client = {}) =>
    applyHeaderRules(headers, applied([rule(then)], {}).headers, { key, client });

  it('sets, removes and forwards headers in any letter case', () => {
    const then = [
      { do: 'remove_header', header: 'Anthropic-Beta' },
      { do: 'set_header', header: 'X-Team', value: 'search' },
      { do: 'pass_header', header: 'X-Trace' },
      { do: 'pass_header', header: 'X-Missing' },
    ];
    const sent = headersAfter(then, { 'Anthropic-Beta': 'a', 'X-TEAM': 'b', Accept: '*/*' }, { 'x-trace': ['1', '2'] });
    expect(sent).toEqual({ accept: '*/*', 'x-team': 'search', 'x-trace': '1, 2' });
  });

  it("inserts the channel's key into header values of the rule, but never into values from the client", () => {
    const then = [
      { do: 'set_header', header: 'X-Api-Key', value: '{api_key}' },
      { do: 'pass_header', header: 'X-Trace' },
    ];
    const sent = headersAfter(then, { Authorization: `Bearer ${key}` }, { 'x-trace': '{api_key}' });
    expect(sent).toEqual({ authorization: `Bearer ${key}`, 'x-api-key': key, 'x-trace': '{api_key}' });
  });

  it('[A71.2] does not send a key that is used only for signing or is exchanged for a token', () => {
    const then = [{ do: 'set_header', header: 'X-Debug', value: '{api_key}' }];
    expect(() => headersAfter(then, { authorization: 'Bearer exchanged' })).toThrow(
      expect.objectContaining({ code: 'rule_not_allowed' }),
    );
  });

  it.each([
    ...['helicone-target-url', 'x-portkey-custom-host', 'x-original-url', 'x-forwarded-host'],
    ...['x-amzn-bedrock-performanceconfig-latency', 'x-dashscope-plugin', 'x-dashscope-sse'],
  ])('[A71.3] the header %s, which redirects a request or changes its cost, cannot be set or removed', (header) => {
    for (const action of [
      { do: 'set_header', header, value: 'x' },
      { do: 'remove_header', header },
    ])
      expect(problemOf(action)).toBeDefined();
  });

  it.each(['cf-access-jwt-assertion', 'x-amzn-oidc-data', 'ssl-client-cert', 'cf-connecting-ip'])(
    '[A71.3] the header %s, which identifies the client, is not forwarded',
    (header) => {
      expect(problemOf({ do: 'pass_header', header })).toBeDefined();
    },
  );

  it('does not send a key with line breaks in a header', () => {
    const { headers } = applied([rule([{ do: 'set_header', header: 'x-k', value: '{api_key}' }])], {});
    expect(() => applyHeaderRules({ authorization: 'a\r\nb' }, headers, { key: 'a\r\nb', client: {} })).toThrow(
      expect.objectContaining({ code: 'rule_not_allowed' }),
    );
  });

  it('does not forward a client header with control characters', () => {
    expect(headersAfter([{ do: 'pass_header', header: 'x-trace' }], {}, { 'x-trace': 'a\r\nb' })).toEqual({});
  });
});

describe('arbitrary rules and bodies', () => {
  const name = fc.constantFrom('a', 'b', '0', 'max_tokens', 'options', 'top_p', 'service_tier');
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('.'));
  const value = fc.jsonValue({ maxDepth: 2 });
  const action = fc.oneof(
    fc.record({ do: fc.constantFrom('set', 'default'), path, value }),
    fc.record({ do: fc.constant('remove'), path }),
    fc.record({ do: fc.constant('rename'), path, to: path }),
  );
  const protectedFields = { model: 'gpt-4o', stream: true, n: 2, messages: [{ role: 'user', content: 'hi' }] };

  it('preserve the model, the stream flag, the content and the output limit', () => {
    fc.assert(
      fc.property(fc.array(action, { minLength: 1, maxLength: 5 }), fc.dictionary(name, value), (then, extra) => {
        const rules = then.map((one) => rule([one])).filter((one) => !checkChannelRules([one]).problem);
        if (rules.length === 0) return;
        const { max_tokens: _, ...rest } = extra;
        const body = { ...protectedFields, ...rest, max_tokens: 100 } as JsonObject;
        let after: JsonObject;
        try {
          after = applied(rules, body, { outputLimit: 100 }).body;
        } catch (error) {
          expect(error).toMatchObject({ code: 'rule_not_allowed' });
          return;
        }
        expect(after).toMatchObject(protectedFields);
        const limit = after['max_tokens'] ?? Number.POSITIVE_INFINITY;
        const isMoved = JSON.stringify(after).includes('"max_tokens":100') || Number(limit) <= 100;
        expect(isMoved, JSON.stringify(after)).toBe(true);
      }),
    );
  });
});
