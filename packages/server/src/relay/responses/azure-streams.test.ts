import { chunk, done, plainPrice, roleChunk, stop, stream, textChunk, usageEvent } from '@headgate/testkit';
import { streamText } from 'ai';
import { afterAll, describe, expect, test } from 'vitest';
import { clientsFor } from '../../testing/relay/client-fixtures.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { RetryTimes: '1' } });
const safe = { hate: { filtered: false, severity: 'safe' }, jailbreak: { detected: false, filtered: false } };
/** Event sent by Azure before a response starts. */
const verdict = `data: ${JSON.stringify({
  choices: [],
  created: 0,
  id: '',
  model: '',
  object: '',
  prompt_filter_results: [{ prompt_index: 0, content_filter_results: safe }],
})}\n\n`;
const response = [roleChunk, textChunk('Hel'), textChunk('lo'), stop];
const azure = { type: 3, other: '2024-10-21' };

const scene = await relayFixture(app, {
  upstreams: [stream([verdict, ...response, usageEvent, done])],
  channel: azure,
});
afterAll(() => scene.close());
const { openai, ai, langchainChat } = clientsFor(app, `sk-${scene.token.key}`);
const request = { model: 'gpt-4o', messages: [{ role: 'user' as const, content: 'hi' }], stream: true as const };

describe('streams that start with Azure prompt filter results', () => {
  test('openai receives the filter results only if it requested usage', async () => {
    const plain = await Array.fromAsync(await openai.chat.completions.create(request));
    expect(plain.map(({ choices }) => choices.length)).toEqual([1, 1, 1, 1]);
    const counted = await Array.fromAsync(
      await openai.chat.completions.create({ ...request, stream_options: { include_usage: true } }),
    );
    expect(counted.map(({ choices }) => choices.length)).toEqual([0, 1, 1, 1, 1, 0]);
    expect(counted.at(-1)?.usage?.total_tokens).toBe(15);
    for (const stream_options of [undefined, { include_usage: true }]) {
      const helped = openai.chat.completions.stream({ ...request, ...(stream_options && { stream_options }) });
      expect(await helped.finalContent()).toBe('Hello');
    }
  });

  test('the AI SDK (ai) reads the stream', async () => {
    const streamed = streamText({ model: ai('gpt-4o'), prompt: 'hi' });
    expect(await streamed.text).toBe('Hello');
    expect((await streamed.usage).totalTokens).toBe(15);
    expect(await streamed.finishReason).toBe('stop');
  });

  test.each([true, false])(
    '@langchain/openthe AI SDK (ai) reads the stream with streamUsage: %s',
    async (streamUsage) => {
      const chunks = await Array.fromAsync(await langchainChat({ streamUsage }).stream('hi'));
      expect(chunks.map(({ text }) => text).join('')).toBe('Hello');
      const reported = chunks.map(({ usage_metadata: usage }) => usage).filter((usage) => usage !== undefined);
      expect(reported).toMatchObject(streamUsage ? [{ total_tokens: 15 }] : []);
    },
  );
});

test('each request is charged by the usage that Azure reports', async () => {
  const { logs } = await scene.books();
  expect(logs.length).toBeGreaterThan(5);
  for (const log of logs) expect(log).toMatchObject({ type: 2, quota: plainPrice });
});

test('filter results are not charged if the API version reports no usage', async () => {
  const old = { ...azure, other: '2024-02-01' };
  const withIt = await relayFixture(app, { upstreams: [stream([verdict, ...response, done])], channel: old });
  const without = await relayFixture(app, { upstreams: [stream([...response, done])], channel: old });
  for (const each of [withIt, without]) await (await each.chat({ stream: true })).text();
  const [log] = (await withIt.books()).logs;
  expect(log?.completion_tokens).toBe(1);
  expect((await without.books()).logs).toMatchObject([{ quota: log?.quota, completion_tokens: 1 }]);
  await Promise.all([withIt.close(), without.close()]);
});

test('another channel is tried if an error follows the filter results', async () => {
  const failed = stream([verdict, 'data: {"error":{"message":"overloaded","code":"503"}}\n\n']);
  const pair = await relayFixture(app, { upstreams: [failed, stream([chunk({ content: 'Hi' }, 'stop'), done])] });
  const text = await (await pair.chat({ stream: true })).text();
  expect(text).toContain('"Hi"');
  expect(text).not.toContain('prompt_filter_results');
  expect((await pair.books()).logs).toMatchObject([{ type: 2 }]);
  await pair.close();
});
