import { dataEvents, type NamedEvent, namedEvents, reply, stream } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { endpointKinds } from '../request/endpoint-kinds.ts';
import { useRelayFixtures } from '../testing/relay-fixture.ts';

const createFixture = useRelayFixtures();

const model = 'gpt-4o';
const messages = [{ role: 'user', content: 'hi' }];
const bodies = {
  chat: { messages },
  messages: { max_tokens: 900, messages },
  responses: { input: 'hi', store: false },
  generateContent: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
  ollamaChat: { messages },
} as const;
type Dialect = keyof typeof bodies;
const dialects = Object.keys(bodies) as Dialect[];

type Stage = Awaited<ReturnType<typeof createFixture>>;

async function send(fixture: Stage, dialect: Dialect, isStream: boolean, more: object = {}) {
  const body = { model, ...bodies[dialect], stream: isStream, ...more };
  const response = await fixture.post(endpointKinds[dialect], body, { address: { model, isStream } });
  return { status: response.status, text: await response.text() };
}

const usage = { prompt_tokens: 7, completion_tokens: 0, total_tokens: 7 };

describe.each(dialects)('[A65.1] choices emptied by a content filter, in %s', (dialect) => {
  const filtered = { index: 0, finish_reason: 'content_filter', content_filter_results: { hate: { filtered: true } } };
  const reasons: Readonly<Record<Dialect, RegExp>> = {
    chat: /"finish_reason":"content_filter"/,
    messages: /"stop_reason":"refusal"/,
    responses: /"reason":"content_filter"/,
    generateContent: /"finishReason":"SAFETY"/,
    ollamaChat: /"done":true/,
  };

  test.each([
    ['without a message', filtered],
    ['with a message of null', { ...filtered, message: null }],
  ])('[A65.1] returns a valid response for a filtered choice %s', async (_, choice) => {
    const response = reply({ id: 'a', object: 'chat.completion', created: 1, model, choices: [choice], usage });
    const fixture = await createFixture({ upstreams: [response], channel: { type: 3, other: '2024-10-21' } });
    const { status, text } = await send(fixture, dialect, false);
    expect(status, text).toBe(200);
    expect(text).toMatch(reasons[dialect]);
    expect((await fixture.ledger()).outcomes).toMatchObject([{ promptTokens: 7, completionTokens: 0 }]);
  });

  test('[A65.1] returns a valid stream when a filtered choice has no delta', async () => {
    const chunk = { id: 'a', object: 'chat.completion.chunk', created: 1, model, choices: [filtered] };
    const response = stream([...dataEvents([chunk, { ...chunk, choices: [], usage }]), 'data: [DONE]\n\n']);
    const fixture = await createFixture({ upstreams: [response], channel: { type: 3, other: '2024-10-21' } });
    const { status, text } = await send(fixture, dialect, true);
    expect(status, text).toBe(200);
    expect(text).toMatch(reasons[dialect]);
  });
});

test('[A65.1] rejects a choice without a message when no content filter is reported', async () => {
  const response = reply({ id: 'a', object: 'chat.completion', choices: [{ index: 0, finish_reason: 'stop' }] });
  const fixture = await createFixture({ upstreams: [response] });
  expect((await send(fixture, 'messages', false)).status).toBe(502);
});

const started = (id: string): NamedEvent => ({
  type: 'message_start',
  message: { id, type: 'message', role: 'assistant', content: [], usage: { input_tokens: 10, output_tokens: 1 } },
});
const opened = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
const textIn = (text: string): NamedEvent => ({
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'text_delta', text },
});
const closed = { type: 'content_block_stop', index: 0 };
const ended = { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } };
const stopped = { type: 'message_stop' };
const rest = [closed, ended, stopped];

describe.each(dialects)('Claude messages that start twice, in %s', (dialect) => {
  const resultOf = async (events: readonly NamedEvent[], isStream = true) => {
    const fixture = await createFixture({ upstreams: [stream(namedEvents(events))], channel: { type: 14 } });
    return { ...(await send(fixture, dialect, isStream)), books: await fixture.ledger() };
  };
  const isFailed = /"error":(?!null)|response\.failed/;

  test('[A65.2] ends with an error when part of the first message was delivered', async () => {
    const events = [started('m1'), opened, textIn('First.'), started('m2'), opened, textIn('Second.'), ...rest];
    const { text, books } = await resultOf(events);
    expect(text).toContain('First.');
    expect(text).not.toContain('Second.');
    expect(text).toMatch(isFailed);
    expect(books.drift).toBe(0);
  });

  test('[A65.2] delivers the second message when nothing was sent before the restart', async () => {
    const { status, text } = await resultOf([
      started('m1'),
      { type: 'ping' },
      started('m2'),
      opened,
      textIn('Second.'),
      ...rest,
    ]);
    expect(status).toBe(200);
    expect(text).toContain('Second.');
    expect(text).not.toMatch(isFailed);
    expect(text.match(/event: message_start/g) ?? []).toHaveLength(dialect === 'messages' ? 1 : 0);
  });

  test('[A65.2] charges only the second message when the whole response is buffered', async () => {
    const events = [started('m1'), opened, textIn('First.'), started('m2'), opened, textIn('Second.'), ...rest];
    const { status, text } = await resultOf(events, false);
    expect(status, text).toBe(200);
    expect(text).toContain('Second.');
    expect(text).not.toContain('First.');
  });

  test('[A65.3] continues the stream when only the start event is repeated', async () => {
    const { text, books } = await resultOf([
      started('m1'),
      opened,
      textIn('One, '),
      started('m1'),
      textIn('two.'),
      ...rest,
    ]);
    expect(text).toContain('One, ');
    expect(text).toContain('two.');
    expect(text).not.toMatch(isFailed);
    expect(text.match(/event: message_start/g) ?? []).toHaveLength(dialect === 'messages' ? 1 : 0);
    expect(books.outcomes).toMatchObject([{ promptTokens: 10, completionTokens: 5 }]);
  });

  test('[A65.3] completes the stream when the start event is repeated after the end', async () => {
    const { text } = await resultOf([started('m1'), opened, textIn('One.'), closed, ended, started('m1'), stopped]);
    expect(text).toContain('One.');
    expect(text).not.toMatch(isFailed);
    expect(text.match(/message_stop/g)?.length ?? 0).toBeLessThanOrEqual(2);
  });

  test('[A65.3] ends with an error when the content blocks are repeated as well', async () => {
    const { text } = await resultOf([
      started('m1'),
      opened,
      textIn('One.'),
      started('m1'),
      opened,
      textIn('Again.'),
      ...rest,
    ]);
    expect(text).not.toContain('Again.');
    expect(text).toMatch(isFailed);
  });
});

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

describe('[A65.4] responses nested 20,000 levels deep', () => {
  const deep = nested(20_000);
  const choice = (fields: string) => `{"id":"a","object":"chat.completion.chunk","choices":[{"index":0,${fields}}]}`;
  const texts: Readonly<Record<string, string>> = {
    'in a delta': choice(`"delta":{"content":"hi","x":${deep}},"finish_reason":"stop"`),
    'in a message': choice(`"message":{"content":"hi","x":${deep}},"finish_reason":"stop"`),
    'in a tool call': choice(`"delta":{"tool_calls":[{"index":0,"x":${deep}}]},"finish_reason":"stop"`),
    'beside the choices': `{"x":${deep},"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":"stop"}]}`,
    'as the error': `{"error":${deep}}`,
    'as the content': choice(`"delta":{"content":${deep}},"finish_reason":"stop"`),
  };
  const events = (text: string) => stream([`data: ${text}\n\n`, `data: ${text}\n\n`, 'data: [DONE]\n\n']);

  const cases = Object.keys(texts).flatMap((where) =>
    [1, 14, 30].flatMap((type) => [false, true].map((isStream) => [where, type, isStream] as const)),
  );

  test.each(cases)(
    '[A65.4] causes no internal error with nesting %s, channel type %i, streamed: %s',
    async (where, type, isStream) => {
      const text = texts[where] ?? '';
      const stages = await Promise.all(
        [events(text), reply(text)].map((response) => createFixture({ upstreams: [response], channel: { type } })),
      );
      for (const dialect of ['chat', 'messages', 'responses'] as const) {
        for (const fixture of stages) {
          const { status, text: replyText } = await send(fixture, dialect, isStream);
          expect([200, 502], `${dialect} ${replyText.slice(0, 200)}`).toContain(status);
          expect((await fixture.ledger()).drift).toBe(0);
        }
      }
    },
  );

  test('charges a deeply nested response by its length when the upstream reports no usage', async () => {
    const text = choice(`"message":{"content":${nested(100)}},"finish_reason":"stop"`);
    const fixture = await createFixture({ upstreams: [reply(text)] });
    expect((await send(fixture, 'chat', false)).status).toBe(200);
    expect((await fixture.ledger()).outcomes[0]?.completionTokens).toBeGreaterThan(100);
  });
});
