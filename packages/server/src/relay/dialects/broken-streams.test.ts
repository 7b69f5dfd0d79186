import { reply, stream, type UpstreamHandler } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { RetryTimes: '0' } });

type Scene = Awaited<ReturnType<typeof relayFixture>>;
const scenes: Scene[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

const types = { messages: 14, responses: 1, contents: 24 } as const;
type DialectName = keyof typeof types;
const everyWords = ['messages', 'responses', 'contents'] as const;

const requests: Readonly<Record<DialectName, readonly [path: string, body: object]>> = {
  messages: [
    '/v1/messages',
    { model: 'gpt-4o', max_tokens: 9000, stream: true, messages: [{ role: 'user', content: 'hi' }] },
  ],
  responses: ['/v1/responses', { model: 'gpt-4o', max_output_tokens: 9000, stream: true, input: 'hi' }],
  contents: [
    '/v1beta/models/gpt-4o:streamGenerateContent?alt=sse',
    { contents: [{ parts: [{ text: 'hi' }] }], generationConfig: { maxOutputTokens: 9000 } },
  ],
};

async function receivedFrom(dialect: DialectName, respond: UpstreamHandler) {
  const scene = await relayFixture(app, { upstreams: [respond], channel: { type: types[dialect] } });
  scenes.push(scene);
  const response = await scene.post(...requests[dialect]);
  const text = await response.text();
  const events = text
    .split('\n')
    .flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6)) as Record<string, unknown>] : []));
  return { status: response.status, text, events, books: await scene.books() };
}

const named = (event: object) => `${'type' in event ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`;

const words = 'The quick brown fox jumps over the lazy dog.';
const started = (input_tokens: number) => ({
  type: 'message_start',
  message: { type: 'message', role: 'assistant', content: [], usage: { input_tokens, output_tokens: 1 } },
});
const opened = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
const textDelta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: words } };
const closed = { type: 'content_block_stop', index: 0 };
const ended = { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 40 } };

/** Some response text followed by this error, in the upstream's format. */
const begun: Readonly<Record<DialectName, readonly object[]>> = {
  messages: [started(8), opened, textDelta],
  responses: [{ type: 'response.output_text.delta', output_index: 0, delta: words }],
  contents: [{ candidates: [{ content: { role: 'model', parts: [{ text: words }] } }] }],
};
const failing: Readonly<Record<DialectName, (message: string) => object>> = {
  messages: (message) => ({ type: 'error', error: { type: 'overloaded_error', message } }),
  responses: (message) => ({ type: 'error', code: 'server_error', message, param: message }),
  contents: (message) => ({ error: { code: 503, message, status: 'UNAVAILABLE' } }),
};

/** Error events of each dialect. */
const failures: Readonly<Record<DialectName, object>> = {
  messages: { type: 'error', error: { type: expect.any(String), message: expect.any(String) } },
  responses: { type: expect.stringMatching(/^(?:error|response\.failed)$/) },
  contents: { error: { code: 503, message: expect.any(String), status: 'UNAVAILABLE' } },
};

/** Overload errors of each dialect before the first byte. */
const errorEvents: Readonly<Record<DialectName, object>> = {
  messages: { type: 'error', error: { type: 'overloaded_error', message: expect.stringContaining('busy') } },
  responses: { error: { message: expect.stringContaining('busy'), type: expect.any(String) } },
  contents: { error: { message: expect.stringContaining('busy'), status: 'UNAVAILABLE' } },
};

describe.each(everyWords)('%s streams', (dialect) => {
  test('[A33.4] streams hide keys and private addresses in a mid-stream error and are charged up to the error', async () => {
    const message = 'The key upstream-key-123456 was refused at http://10.1.2.3:8080/v1';
    const respond = stream([...begun[dialect], failing[dialect](message)].map(named));
    const { text, events, books } = await receivedFrom(dialect, respond);
    expect(text).toContain('lazy dog');
    expect(text).not.toMatch(/upstream-key-123456|10\.1\.2\.3/);
    expect(events.at(-1)).toMatchObject(failures[dialect]);
    expect(books.logs).toMatchObject([{ type: 2, ended_by: 'upstream', completion_tokens: 10 }]);
    expect(JSON.stringify(books.logs)).not.toMatch(/upstream-key-123456|10\.1\.2\.3/);
    expect(books.drift).toBe(0);
  });

  test('[A4.9] streams end with an error when the upstream disconnects, and are charged once for the delivered part', async () => {
    const { events, books } = await receivedFrom(dialect, stream(begun[dialect].map(named), 'cut'));
    expect(events.at(-1)).toMatchObject({ ...failures[dialect], ...(dialect === 'contents' && { error: {} }) });
    expect(books.logs).toMatchObject([{ type: 2, ended_by: 'upstream', completion_tokens: 10 }]);
    expect(books.drift).toBe(0);
  });

  test.each([503, 529])(
    "[A25.1] streams return an error in the dialect's format without a charge when rejected with %i",
    async (status) => {
      const respond = reply(
        { type: 'error', error: { type: 'overloaded_error', code: status, message: 'busy' } },
        status,
      );
      const result = await receivedFrom(dialect, respond);
      // Anthropic clients expect a specific status for overload; others retry on any 5xx.
      expect(result.status).toBe(dialect === 'messages' ? 529 : status);
      expect(JSON.parse(result.text)).toMatchObject(errorEvents[dialect]);
      expect(result.books.logs).toMatchObject([{ type: 5, quota: 0 }]);
    },
  );

  test('[A25.4] streams return an error response without a charge when they start with an error event', async () => {
    const { status, events, text, books } = await receivedFrom(dialect, stream([named(failing[dialect]('busy'))]));
    expect([500, 502, 503, 529]).toContain(status);
    expect(events).toEqual([]);
    expect(JSON.parse(text)).toMatchObject({ error: { message: expect.stringContaining('busy') } });
    expect(books.logs).toMatchObject([{ type: 5, quota: 0 }]);
  });
});

describe('[A25.15] messages that start again in the same stream', () => {
  test('restarted messages end with an error once a part was sent, because clients would join both messages', async () => {
    const events = [
      started(900),
      opened,
      textDelta,
      started(10),
      opened,
      textDelta,
      closed,
      ended,
      { type: 'message_stop' },
    ];
    const result = await receivedFrom('messages', stream(events.map(named)));
    expect(result.events.map(({ type }) => type)).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'error',
    ]);
    const { logs, drift } = result.books;
    expect(logs).toMatchObject([{ type: 2, ended_by: 'upstream', prompt_tokens: 10, completion_tokens: 10 }]);
    expect(drift).toBe(0);
  });
});

describe('[A4.12] messages without an end event', () => {
  test.each(['cut', 'end'] as const)(
    'messages without an end event are charged once by their reported usage (%s)',
    async (how) => {
      const events = [started(8), opened, textDelta, closed, ended];
      const result = await receivedFrom('messages', stream(events.map(named), how));
      expect(result.books.logs).toMatchObject([{ type: 2, prompt_tokens: 8, completion_tokens: 40 }]);
      expect(result.books.drift).toBe(0);
      const last = result.events.at(-1);
      if (how === 'cut') expect(last).toMatchObject(failures.messages);
      else expect(last).toMatchObject({ type: 'message_delta', delta: { stop_reason: 'end_turn' } });
    },
  );
});
