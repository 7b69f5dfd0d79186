import { dataEvents, namedEvents, reply, stream } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { useRelayFixtures } from '../testing/relay-fixture.ts';

const createFixture = useRelayFixtures();

async function createScenario(response: ReturnType<typeof reply>, channel: { type: number; models: string }) {
  const { type, models } = channel;
  const fixture = await createFixture({ upstreams: [response], channel: { type } });
  const ask = (body: object = {}) => fixture.chat({ model: models, ...body });
  return { ask, books: () => fixture.ledger(), upstreams: fixture.upstreams };
}

interface Chunk {
  readonly choices: readonly {
    readonly delta: Readonly<Record<string, unknown>>;
    readonly finish_reason: string | null;
  }[];
  readonly usage?: unknown;
}

const chunksIn = (text: string): readonly Chunk[] =>
  text.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6)) as Chunk] : []));

const claude = { type: 14, models: 'claude-3-5-haiku-20241022' };
const gemini = { type: 24, models: 'gemini-2.5-flash' };
const miniMax = { type: 27, models: 'abab6.5-chat' };
const streamed = { stream: true, stream_options: { include_usage: true } };

describe('[A25.6] Claude streams that restart the message', () => {
  const message = (input: number) => ({
    type: 'message',
    role: 'assistant',
    content: [],
    usage: { input_tokens: input },
  });
  const toolCall = (id: string) => [
    { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id, name: 'now', input: {} } },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: `{"id":"${id}"}` } },
    { type: 'content_block_stop', index: 0 },
  ];
  const events = [
    { type: 'message_start', message: message(900) },
    ...toolCall('first').slice(0, 2),
    { type: 'message_start', message: message(10) },
    ...toolCall('second'),
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ];

  test('[A25.6] ends with an error and does not append tool calls of the second message to the first', async () => {
    const { ask, books } = await createScenario(stream(namedEvents(events)), claude);
    const text = await (await ask(streamed)).text();
    expect(text).toContain('first');
    expect(text).not.toContain('second');
    expect(text).toContain('restarted its message');
    expect((await books()).outcomes).toMatchObject([{ promptTokens: 10 }]);
  });

  test('charges the second message when a stream that restarts is delivered as a whole response', async () => {
    const { ask, books } = await createScenario(stream(namedEvents(events)), claude);
    const { choices } = (await (await ask()).json()) as { choices: [{ message: { tool_calls: unknown } }] };
    expect(choices[0].message.tool_calls).toMatchObject([{ id: 'second', function: { arguments: '{"id":"second"}' } }]);
    expect((await books()).outcomes).toMatchObject([{ promptTokens: 10, completionTokens: 5 }]);
  });
});

test('[A6.3] sums usage that is reported for each start of a message', async () => {
  const goes = [
    { type: 'compaction', input_tokens: 1000, output_tokens: 50 },
    { type: 'message', input_tokens: 10, output_tokens: 5 },
  ];
  const { ask, books } = await createScenario(
    reply({
      type: 'message',
      role: 'assistant',
      stop_reason: 'end_turn',
      content: [{ type: 'text', text: 'Hello' }],
      usage: { input_tokens: 10, output_tokens: 5, iterations: goes },
    }),
    claude,
  );
  expect(await (await ask()).json()).toMatchObject({ usage: { prompt_tokens: 1010, completion_tokens: 55 } });
  expect((await books()).outcomes).toMatchObject([{ promptTokens: 1010, completionTokens: 55 }]);
});

describe('[A25.7] Gemini responses with audio and images', () => {
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5 };
  const geminiReply = (...parts: readonly object[]) => ({
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }],
    usageMetadata,
  });
  const file = (mimeType: string, data: string) => ({ inlineData: { mimeType, data } });
  const audio = Buffer.from('sound').toString('base64');

  test('[A25.7] accepts audio without text', async () => {
    const { ask, books } = await createScenario(
      reply(geminiReply(file('audio/L16;codec=pcm;rate=24000', audio))),
      gemini,
    );
    expect(await (await ask()).json()).toMatchObject({
      choices: [{ message: { content: null, audio: { data: audio } }, finish_reason: 'stop' }],
    });
    expect((await books()).outcomes).toMatchObject([{ promptTokens: 10, completionTokens: 5 }]);
  });

  test('[A25.7] streams audio in chunks', async () => {
    const { ask } = await createScenario(stream(dataEvents([geminiReply(file('audio/mp3', audio))])), gemini);
    const chunks = chunksIn(await (await ask(streamed)).text());
    expect(chunks.map(({ choices }) => choices[0]?.delta['audio']).filter(Boolean)).toMatchObject([{ data: audio }]);
  });

  test.each([
    ['in a whole response', {}],
    ['in a stream', streamed],
  ])('[A6.1] counts audio tokens locally %s without reported usage', async (_, body) => {
    // Half a second: ten tokens.
    const { candidates } = geminiReply(file('audio/L16;codec=pcm;rate=24000', 'A'.repeat(32_000)));
    const response = body === streamed ? stream(dataEvents([{ candidates }])) : reply({ candidates });
    const { ask, books } = await createScenario(response, gemini);
    await (await ask(body)).text();
    expect((await books()).outcomes).toMatchObject([{ completionTokens: 10 }]);
  });

  test.each([
    ['in a whole response', {}],
    ['in a stream', streamed],
  ])('[A6.1] counts image tokens locally %s without reported usage', async (_, body) => {
    const { candidates } = geminiReply(file('image/png', 'AAAA'));
    const response = body === streamed ? stream(dataEvents([{ candidates }])) : reply({ candidates });
    const { ask, books } = await createScenario(response, gemini);
    await (await ask(body)).text();
    const [log] = (await books()).outcomes;
    expect(log?.completionTokens).toBeGreaterThan(100);
  });

  test('distinguishes images from audio by media type', async () => {
    const both = geminiReply({ text: 'Look: ' }, file('image/png', 'AAAA'), file('Audio/WAV', audio));
    const { ask } = await createScenario(reply(both), gemini);
    expect(await (await ask()).json()).toMatchObject({
      choices: [
        {
          message: {
            content: 'Look: ',
            images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }],
            audio: { data: audio },
          },
        },
      ],
    });
  });
});

describe('[A25.8] content filter rejections', () => {
  const usage = { prompt_tokens: 10, completion_tokens: 0, total_tokens: 10 };
  const azure = { error: { message: 'The response was filtered', code: 'content_filter', status: 400 }, usage };
  const legal = { error: { message: 'Not here', type: 'invalid_request_error', status: 451 }, usage };
  const sensitive = { base_resp: { status_code: 1026, status_msg: 'sensitive' }, usage, choices: null };
  const dialect = { type: 8, models: 'gpt-4o' };

  test.each([
    { how: 'in a whole response', channel: dialect, respond: reply(azure), body: {}, status: 400 },
    { how: 'with a separate status', channel: dialect, respond: reply(legal), body: {}, status: 451 },
    { how: "by MiniMax's code", channel: miniMax, respond: reply(sensitive), body: {}, status: 400 },
    { how: 'in a stream', channel: dialect, respond: stream(dataEvents([azure])), body: streamed, status: 400 },
  ])('[A25.8] keeps the status and usage of an error inside a 200 ($how) and does not retry', async (wanted) => {
    const { ask, books, upstreams } = await createScenario(wanted.respond, wanted.channel);
    const response = await ask(wanted.body);
    expect(response.status).toBe(wanted.status);
    expect(upstreams[0]?.received).toHaveLength(1);
    expect((await books()).outcomes).toMatchObject([{ promptTokens: 10, completionTokens: 0 }]);
  });

  const blocked = {
    promptFeedback: { blockReason: 'PROHIBITED_CONTENT' },
    usageMetadata: { promptTokenCount: 10, totalTokenCount: 10 },
  };

  test.each([
    ['in a whole response', reply(blocked), {}],
    ['in a stream', stream(dataEvents([blocked])), streamed],
  ])('[A25.8] returns and charges the reported usage of a blocked prompt %s', async (_, respond, body) => {
    const { ask, books } = await createScenario(respond, gemini);
    const response = await ask(body);
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(text).toContain('"finish_reason":"content_filter"');
    expect(text).toContain('"prompt_tokens":10');
    expect((await books()).outcomes).toMatchObject([{ promptTokens: 10, completionTokens: 0 }]);
  });
});

test.each([-1, 1.5, 1e300])(
  '[A25.11] ignores a reported usage of %s tokens and counts locally',
  async (promptTokenCount) => {
    const response = {
      candidates: [{ content: { parts: [{ text: 'Hello' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount, candidatesTokenCount: 5 },
    };
    const whole = await createScenario(reply(response), gemini);
    const replyBody = await (await whole.ask()).json();
    expect(replyBody).toMatchObject({ choices: [{ message: { content: 'Hello' } }] });
    expect(replyBody).not.toHaveProperty('usage');
    const pieces = await createScenario(stream(dataEvents([response])), gemini);
    const text = await (await pieces.ask(streamed)).text();
    expect(chunksIn(text).map(({ usage }) => usage ?? null)).toEqual(chunksIn(text).map(() => null));
    expect(text).toContain('[DONE]');
  },
);
