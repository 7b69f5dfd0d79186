import { reply, stream, weatherTool } from '@headgate/testkit';
import type OpenAI from 'openai';
import { afterAll, expect, test } from 'vitest';
import { clientsFor } from '../../testing/relay/client-fixtures.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const model = 'gemini-3-pro-preview';
const functionCall = { id: 'f1', name: 'weather', args: { city: 'Oslo' } };
const response = {
  candidates: [
    { content: { role: 'model', parts: [{ functionCall, thoughtSignature: 'c2VhbA==' }] }, finishReason: 'STOP' },
  ],
  usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5 },
  responseId: 'r1',
};
const scene = await relayFixture(app, { upstreams: [reply(response)], channel: { type: 24, models: model } });
afterAll(() => scene.close());
const { openai } = clientsFor(app, `sk-${scene.token.key}`);

const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Weather in Oslo?' }];
const request = { model, messages, tools: [weatherTool] };
const extra = { extra_content: { google: { thought_signature: 'c2VhbA==' } } };

/** Continues the conversation like a client, with the tool call as received. */
async function partsSentBack(call: unknown): Promise<unknown> {
  const history = [
    ...messages,
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'f1', content: 'rain' },
  ] as OpenAI.ChatCompletionMessageParam[];
  await openai.chat.completions.create({ ...request, messages: history });
  const contents = scene.upstreams[0]?.received.at(-1)?.body['contents'] as readonly { parts: unknown }[] | undefined;
  return contents?.[1]?.parts;
}

test("sends the signature of a tool call to the client in Google's field and back to Gemini", async () => {
  const { choices } = await openai.chat.completions.create(request);
  const call = choices[0]?.message.tool_calls?.[0];
  expect(call).toEqual({
    id: 'f1',
    type: 'function',
    function: { name: 'weather', arguments: '{"city":"Oslo"}' },
    ...extra,
  });
  expect(await partsSentBack(call)).toEqual([{ functionCall, thoughtSignature: 'c2VhbA==' }]);
});

test('sends the signature of a streamed tool call to the client and back to Gemini', async () => {
  const [upstream] = scene.upstreams;
  if (upstream) upstream.handler = stream([`data: ${JSON.stringify(response)}\r\n\r\n`]);
  const chunks = await Array.fromAsync(await openai.chat.completions.create({ ...request, stream: true }));
  const calls = chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
  expect(calls).toEqual([
    {
      index: 0,
      id: 'f1',
      type: 'function',
      function: { name: 'weather', arguments: '{"city":"Oslo"}' },
      ...extra,
    },
  ]);
  if (upstream) upstream.handler = reply(response);
  expect(await partsSentBack(calls[0])).toEqual([{ functionCall, thoughtSignature: 'c2VhbA==' }]);
});
