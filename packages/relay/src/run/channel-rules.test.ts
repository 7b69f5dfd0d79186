import { completion, reply, type UpstreamHandler } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { estimateUsage } from '../metering/usage-estimate.ts';
import { endpointKinds } from '../request/endpoint-kinds.ts';
import { readRequest } from '../request/read-request.ts';
import { readRules } from '../rules/read-rules.ts';
import { useRelayFixtures } from '../testing/relay-fixture.ts';
import { listModels } from './query-upstream.ts';

const createFixture = useRelayFixtures();
const anthropicType = 14;

const rulesOf = (then: readonly object[], when: object = {}) => readRules(JSON.stringify([{ name: 'r', when, then }]));

const anthropicReply = reply({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  content: [{ type: 'text', text: 'hello' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 3, output_tokens: 2 },
});

async function sentBy(
  then: readonly object[],
  body: object = {},
  { type = 8, handler = completion() }: { readonly type?: number; readonly handler?: UpstreamHandler } = {},
) {
  const fixture = await createFixture({ upstreams: [handler], channel: { type, rules: rulesOf(then) } });
  const response = await fixture.chat(body);
  const [received] = fixture.upstreams[0]?.received ?? [];
  return { fixture, response, received, text: received?.text ?? '' };
}

describe("a request in the upstream's dialect", () => {
  test("appends new fields after the client's bytes", async () => {
    const { text, response } = await sentBy([{ do: 'default', path: 'top_k', value: 5 }], { seed: 1e21 });
    expect(response.status).toBe(200);
    const original = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], seed: 1e21 });
    expect(text).toBe(`${original.slice(0, -1)},"top_k":5}`);
  });

  test("sends the client's bytes unchanged when no rule changes them", async () => {
    const { text } = await sentBy([
      { do: 'default', path: 'model_x', value: 5 },
      { do: 'remove', path: 'model_x' },
    ]);
    expect(text).toBe('{"model":"gpt-4o","messages":[{"role":"user","content":"hi"}]}');
  });

  test('changes, removes and renames fields', async () => {
    const { text } = await sentBy(
      [
        { do: 'set', path: 'temperature', value: 0 },
        { do: 'remove', path: 'user' },
        { do: 'rename', path: 'max_tokens', to: 'max_completion_tokens' },
      ],
      { temperature: 1, user: 'ada', max_tokens: 7 },
    );
    expect(JSON.parse(text)).toMatchObject({ temperature: 0, max_completion_tokens: 7, model: 'gpt-4o' });
    expect(JSON.parse(text)).not.toHaveProperty('user');
    expect(JSON.parse(text)).not.toHaveProperty('max_tokens');
  });

  test("sends the headers of the rules, with the channel's key", async () => {
    const { received } = await sentBy([{ do: 'set_header', header: 'X-Upstream-Key', value: 'Key {api_key}' }]);
    expect(received?.headers).toMatchObject({
      'x-upstream-key': 'Key upstream-key-123456',
      authorization: 'Bearer upstream-key-123456',
    });
  });

  test('logs the names of the rules that applied', async () => {
    const { fixture } = await sentBy([{ do: 'set', path: 'user', value: 'x' }]);
    const [outcome] = (await fixture.ledger()).outcomes;
    expect(JSON.parse(outcome?.detail ?? '')).toMatchObject({ rules: ['r'] });
  });

  test("never inserts the key into the client's content", async () => {
    const messages = [{ role: 'user', content: '{api_key}' }];
    const { text } = await sentBy([{ do: 'set', path: 'user', value: 'x' }], { messages, metadata: '{api_key}' });
    expect(text).toContain('{api_key}');
    expect(text).not.toContain('upstream-key-123456');
  });
});

test('applies the rules to the translated request', async () => {
  const then = [
    { do: 'set', path: 'metadata.user_id', value: 'gateway' },
    { do: 'set', path: 'max_tokens', value: 5000 },
    { do: 'remove_header', header: 'Anthropic-Version' },
  ];
  const { text, received, response } = await sentBy(
    then,
    { max_tokens: 9 },
    { type: anthropicType, handler: anthropicReply },
  );
  expect(response.status).toBe(200);
  expect(JSON.parse(text)).toMatchObject({ metadata: { user_id: 'gateway' }, max_tokens: 9 });
  expect(received?.headers).not.toHaveProperty('anthropic-version');
});

test('applies the rules to embeddings', async () => {
  const data = [{ object: 'embedding', index: 0, embedding: [1] }];
  const fixture = await createFixture({
    upstreams: [reply({ object: 'list', data, model: 'm', usage: { prompt_tokens: 1, total_tokens: 1 } })],
    channel: { rules: rulesOf([{ do: 'set', path: 'dimensions', value: 8 }], { endpoints: ['embeddings'] }) },
  });
  await fixture.post(endpointKinds.embeddings, { model: 'text-embedding-3-small', input: 'hi' });
  await fixture.chat();
  const [first, second] = (fixture.upstreams[0]?.received ?? []).map(({ body }) => body);
  expect(first).toMatchObject({ dimensions: 8 });
  expect(second).not.toHaveProperty('dimensions');
});

describe('errors', () => {
  test('a rule rejects the request before it is sent, and nothing is charged', async () => {
    const { fixture, response, received } = await sentBy([{ do: 'reject', message: 'Use model v2' }]);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { message: expect.stringContaining('Use model v2'), code: 'rejected_by_rule' },
    });
    expect(received).toBeUndefined();
    expect((await fixture.ledger()).user).toMatchObject({ quota: 1_000_000, usedQuota: 0, held: 0 });
  });

  test('a rule that writes an unpriced field sends nothing and charges nothing', async () => {
    const { fixture, response, received } = await sentBy([{ do: 'set', path: 'service_tier', value: 'priority' }]);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ error: { code: 'rule_not_allowed' } });
    expect(received).toBeUndefined();
    expect((await fixture.ledger()).user).toMatchObject({ usedQuota: 0, held: 0 });
  });

  test('a rule that cannot be applied causes a failover to a channel without it', async () => {
    const rules = rulesOf([{ do: 'set', path: 'service_tier', value: 'priority' }]);
    let channels = 0;
    const fixture = await createFixture({
      upstreams: [completion(), completion()],
      retries: 1,
      channel: () => {
        channels += 1;
        return channels === 1 ? { rules } : {};
      },
    });
    expect((await fixture.chat()).status).toBe(200);
    expect(fixture.upstreams.map(({ received }) => received.length)).toEqual([0, 1]);
    expect(fixture.blamed).toEqual([]);
  });

  test.each([
    [400, true, [1, 1]],
    [429, false, [1, 0]],
  ])('maps the upstream status %i to retryable: %s', async (status, retryable, attempts) => {
    const fixture = await createFixture({
      upstreams: [reply({ error: { message: 'no' } }, status), completion()],
      retries: 1,
      channel: { rules: rulesOf([{ do: 'status', status, retryable }]) },
    });
    await fixture.chat();
    expect(fixture.upstreams.map(({ received }) => received.length)).toEqual(attempts);
    expect(fixture.blamed).toEqual([]);
  });
});

describe('the reservation', () => {
  const chat = (body: object) =>
    readRequest(
      endpointKinds.chat,
      Buffer.from(JSON.stringify({ model: 'qwen3-max', messages: [{ role: 'user', content: 'hi' }], ...body })),
    );
  const assumptions = { typicalCompletion: 500, longestCompletion: 128_000 };

  async function maxWith(type: number, then: readonly object[]) {
    const { channels } = await createFixture({ upstreams: [completion()], channel: { type, rules: rulesOf(then) } });
    return estimateUsage(chat({ max_tokens: 10, enable_thinking: false }), channels, assumptions).most;
  }

  test('includes the tokens that rules may add to the prompt', async () => {
    const few = await maxWith(8, [{ do: 'set', path: 'metadata.text', value: 'x' }]);
    const many = await maxWith(8, [{ do: 'set', path: 'metadata.text', value: 'x'.repeat(9001) }]);
    expect(many.prompt - few.prompt).toBe(9000);
  });

  test('includes reasoning beyond the output limit, which rules may enable', async () => {
    const aliType = 17;
    const headersOnly = await maxWith(aliType, [{ do: 'set_header', header: 'x-a', value: 'b' }]);
    const thinking = await maxWith(aliType, [{ do: 'set', path: 'parameters.enable_thinking', value: true }]);
    expect(headersOnly.completion).toBe(10);
    expect(thinking.completion).toBeGreaterThan(80_000);
  });
});

describe('model lists and balances', () => {
  test.each([
    ['', {}, 'search'],
    [' not', { models: ['gpt-*'] }, undefined],
  ])('do%s use header rules', async (_, when, team) => {
    const rules = rulesOf([{ do: 'set_header', header: 'x-team', value: 'search' }], when);
    const fixture = await createFixture({ upstreams: [reply({ data: [{ id: 'a' }] })], channel: { type: 1, rules } });
    const [channel] = fixture.channels;
    if (!channel) throw new Error('no channel');
    expect(await listModels(fixture.services, channel)).toEqual(['a']);
    expect(fixture.upstreams[0]?.received[0]?.headers['x-team']).toBe(team);
  });
});
