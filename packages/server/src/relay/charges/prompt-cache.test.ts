import { reply, stream } from '@headgate/testkit';
import { afterAll, expect, test } from 'vitest';
import { clientsFor } from '../../testing/relay/client-fixtures.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const model = 'claude-3-5-haiku-latest';
const usage = {
  input_tokens: 10,
  output_tokens: 5,
  cache_creation_input_tokens: 200,
  cache_read_input_tokens: 3000,
};
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model,
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage,
  content: [{ type: 'text', text: 'Hello' }],
};
const wrongUsage = {
  prompt_tokens: 3210,
  completion_tokens: 5,
  total_tokens: 3215,
  prompt_tokens_details: { cached_tokens: 3000, cache_write_tokens: 200 },
};

/** Ten full-price prompt tokens, cache writes at 1.25, cache reads at 0.1, and the output. */
const points = Math.ceil((10 + 200 * 1.25 + 3000 * 0.1 + 5 * 5) * 0.4);

const scene = await relayFixture(app, { upstreams: [reply(message)], channel: { type: 14, models: model } });
afterAll(() => scene.close());
const { openai } = clientsFor(app, `sk-${scene.token.key}`);

const mark = { cache_control: { type: 'ephemeral' } };
const request = {
  model,
  messages: [
    { role: 'system' as const, content: [{ type: 'text' as const, text: 'A long book', ...mark }] },
    { role: 'user' as const, content: 'hi' },
  ],
  tools: [{ type: 'function' as const, function: { name: 'look' }, ...mark }],
};

test('forwards cache markers to Claude and reports cache usage to the client and in the log', async () => {
  const response = await openai.chat.completions.create(request);
  expect(response.usage).toEqual(wrongUsage);
  expect(scene.upstreams[0]?.received[0]?.body).toMatchObject({
    system: [{ type: 'text', text: 'A long book', ...mark }],
    messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    tools: [{ name: 'look', ...mark }],
  });
  const { logs, user, drift } = await scene.books();
  expect(logs).toMatchObject([{ type: 2, prompt_tokens: 3210, completion_tokens: 5, quota: points }]);
  expect(JSON.parse(logs[0]?.detail ?? '')).toMatchObject({
    cached_tokens: 3000,
    cache_read_ratio: 0.1,
    cache_write_tokens: 200,
    cache_write_ratio: 1.25,
  });
  expect([user.used_quota, drift]).toEqual([points, 0]);
});

test('forwards cache markers and reports cache usage in a stream', async () => {
  const events = [
    {
      type: 'message_start',
      message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ];
  const [upstream] = scene.upstreams;
  if (upstream)
    upstream.handler = stream(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`));
  const chunks = await Array.fromAsync(
    await openai.chat.completions.create({ ...request, stream: true, stream_options: { include_usage: true } }),
  );
  expect(chunks.at(-1)?.usage).toEqual(wrongUsage);
  expect((await scene.books()).logs.at(-1)).toMatchObject({ type: 2, quota: points, prompt_tokens: 3210 });
});
