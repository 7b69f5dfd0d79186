import { stream, type UpstreamHandler } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();

type Scene = Awaited<ReturnType<typeof relayFixture>>;
const scenes: Scene[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

const types = { messages: 14, responses: 1, contents: 24 } as const;
type DialectName = keyof typeof types;

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

async function sceneOf(dialect: DialectName, respond: UpstreamHandler): Promise<Scene> {
  const scene = await relayFixture(app, { upstreams: [respond], channel: { type: types[dialect] } });
  scenes.push(scene);
  return scene;
}

type UpstreamEvent = Readonly<Record<string, unknown>>;

const named = (event: UpstreamEvent) =>
  `${event['type'] === undefined ? '' : `event: ${event['type']}\n`}data: ${JSON.stringify(event)}\n\n`;

/** Forty times ten tokens. */
const text = 'The quick brown fox jumps over the lazy dog. '.repeat(40);
const tokens = 400;
const pieces = Array.from({ length: 40 }, (_, index) => text.slice(index * 45, index * 45 + 45));
/** Roughly six base64 characters make a token. */
const sealed = 'A'.repeat(10 * tokens);

const begun = { type: 'message_start', message: { content: [], usage: { input_tokens: 8, output_tokens: 1 } } };
const block = (content_block: object) => ({ type: 'content_block_start', index: 0, content_block });
const delta = (given: object) => ({ type: 'content_block_delta', index: 0, delta: given });
const candidate = (...parts: object[]) => ({ candidates: [{ content: { role: 'model', parts } }] });

/** Output that is delivered before the client disconnects. */
const cases: readonly (readonly [name: string, words: DialectName, events: readonly UpstreamEvent[]])[] = [
  ['[A4.2] text', 'messages', [begun, ...pieces.map((piece) => delta({ type: 'text_delta', text: piece }))]],
  ['[A4.4] reasoning', 'messages', [begun, ...pieces.map((thinking) => delta({ type: 'thinking_delta', thinking }))]],
  ['[A4.4] encrypted reasoning', 'messages', [begun, block({ type: 'redacted_thinking', data: sealed })]],
  [
    '[A4.11] reasoning with only a signature',
    'messages',
    [
      begun,
      block({ type: 'thinking', thinking: '', signature: '' }),
      delta({ type: 'signature_delta', signature: sealed.slice(0, tokens * 5) }),
      { type: 'content_block_stop', index: 0 },
    ],
  ],
  [
    '[A4.11] reasoning with text and signature',
    'messages',
    [
      ...[begun, block({ type: 'thinking', thinking: '', signature: '' })],
      ...pieces.map((thinking) => delta({ type: 'thinking_delta', thinking })),
      delta({ type: 'signature_delta', signature: sealed.slice(0, tokens * 6) }),
      { type: 'content_block_stop', index: 0 },
    ],
  ],
  [
    '[A4.4] tool arguments',
    'messages',
    [
      ...[begun, block({ type: 'tool_use', id: 'a', name: 'b', input: {} })],
      ...pieces.map((partial_json) => delta({ type: 'input_json_delta', partial_json })),
    ],
  ],
  [
    '[A4.10] arguments of a provider tool',
    'messages',
    [
      ...[begun, block({ type: 'server_tool_use', id: 'a', name: 'b', input: {} })],
      ...pieces.map((partial_json) => delta({ type: 'input_json_delta', partial_json })),
    ],
  ],
  [
    '[A4.10] chunks of an unknown kind',
    'messages',
    [begun, block({ type: 'zzz' }), ...pieces.map((content) => delta({ type: 'zzz_delta', content }))],
  ],
  ...(
    [
      ['[A4.2] text', 'response.output_text.delta'],
      ['[A4.4] reasoning', 'response.reasoning_text.delta'],
      ['[A4.4] a refusal', 'response.refusal.delta'],
      ['[A4.4] tool arguments', 'response.function_call_arguments.delta'],
      ['[A4.10] a patch', 'response.apply_patch_call_operation_diff.delta'],
      ['[A4.10] chunks of an unknown kind', 'response.zzz.delta'],
    ] as const
  ).map(
    ([name, type]) => [name, 'responses', pieces.map((piece) => ({ type, output_index: 0, delta: piece }))] as const,
  ),
  [
    '[A4.10] a whole call of an unknown kind',
    'responses',
    [{ type: 'response.output_item.done', item: { type: 'apply_patch_call', operation: { diff: text } } }],
  ],
  [
    '[A4.4] encrypted reasoning',
    'responses',
    [{ type: 'response.output_item.done', item: { type: 'reasoning', summary: [], encrypted_content: sealed } }],
  ],
  ['[A4.2] text', 'contents', pieces.map((piece) => candidate({ text: piece }))],
  ['[A4.4] reasoning', 'contents', pieces.map((piece) => candidate({ text: piece, thought: true }))],
  [
    '[A4.11] reasoning with only a signature',
    'contents',
    [candidate({ text: 'a', thoughtSignature: sealed.slice(0, tokens * 5) })],
  ],
  [
    '[A4.11] a call with only a reasoning signature',
    'contents',
    [candidate({ functionCall: { name: 'a', args: {} }, thoughtSignature: sealed.slice(0, tokens * 5) })],
  ],
  ['[A4.4] tool arguments', 'contents', [candidate({ functionCall: { name: 'a', args: { a: text } } })]],
  [
    '[A4.10] tool arguments in parts',
    'contents',
    [
      candidate({ functionCall: { name: 'a', willContinue: true } }),
      ...pieces.map((stringValue) =>
        candidate({ functionCall: { partialArgs: [{ jsonPath: '$.a', stringValue }], willContinue: true } }),
      ),
    ],
  ],
  ['[A4.10] code', 'contents', [candidate({ executableCode: { language: 'PYTHON', code: text } })]],
];

describe('charges for delivered output in every dialect', () => {
  test.each(cases)('%s in %s is charged when the client disconnects', async (_, dialect, events) => {
    const mark = ': the end';
    const scene = await sceneOf(dialect, stream([...events.map(named), `${mark}\n\n`], 'stall'));
    const [path, body] = requests[dialect];
    const gone = new AbortController();
    const response = await scene.post(path, body, { signal: gone.signal });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let seen = '';
    while (!seen.includes(mark)) seen = seen.slice(-mark.length) + ((await reader?.read())?.value ?? mark);
    gone.abort();
    await expect.poll(async () => (await scene.books()).logs.at(-1)?.content).toBe('Client disconnected');
    const { logs, drift } = await scene.books();
    expect(logs).toMatchObject([{ type: 2, ended_by: 'client' }]);
    expect(logs[0]?.completion_tokens).toBeGreaterThanOrEqual(tokens * 0.9);
    expect(logs[0]?.completion_tokens).toBeLessThanOrEqual(tokens * 2.1);
    expect(drift).toBe(0);
  });
});

const words40 = pieces.map((piece) => delta({ type: 'text_delta', text: piece }));
const stopped = (usage?: object) => [
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, ...(usage && { usage }) },
  { type: 'message_stop' },
];
const talk = pieces.map((piece) => candidate({ text: piece }));
const finished = (usageMetadata?: object) => ({
  candidates: [{ content: { parts: [] }, finishReason: 'STOP' }],
  ...(usageMetadata && { usageMetadata }),
});
const deltas = pieces.map((piece) => ({ type: 'response.output_text.delta', output_index: 0, delta: piece }));
const completed = (usage?: object) => ({ type: 'response.completed', response: { status: 'completed', usage } });

/** Complete streams of forty times ten tokens that report impossible usage. */
const reported: readonly (readonly [name: string, words: DialectName, events: readonly UpstreamEvent[]])[] = [
  ['only initial usage', 'messages', [begun, ...words40, ...stopped()]],
  ['usage without output', 'messages', [begun, ...words40, ...stopped({ input_tokens: 8 })]],
  ['negative usage', 'messages', [begun, ...words40, ...stopped({ output_tokens: -5 })]],
  ['usage as text', 'messages', [begun, ...words40, ...stopped({ output_tokens: '5' })]],
  ['impossible usage', 'messages', [begun, ...words40, ...stopped({ output_tokens: 1e15 })]],
  ['no usage', 'contents', [...talk, finished()]],
  ['usage of reasoning only', 'contents', [...talk, finished({ promptTokenCount: 8, thoughtsTokenCount: 5 })]],
  [
    'negative usage with reasoning',
    'contents',
    [...talk, finished({ promptTokenCount: 8, candidatesTokenCount: -400, thoughtsTokenCount: 405 })],
  ],
  ['a total without output', 'contents', [...talk, finished({ promptTokenCount: 8, totalTokenCount: 408 })]],
  ['impossible usage', 'contents', [...talk, finished({ promptTokenCount: 8, candidatesTokenCount: 1e15 })]],
  ['no usage', 'responses', [...deltas, completed()]],
  ['negative usage', 'responses', [...deltas, completed({ input_tokens: 8, output_tokens: -5 })]],
  ['usage without output', 'responses', [...deltas, completed({ input_tokens: 8 })]],
  ['impossible usage', 'responses', [...deltas, completed({ input_tokens: 8, output_tokens: 1e15 })]],
];

describe('impossible usage in every dialect', () => {
  test.each(reported)('[A6.1] counts tokens locally for %s in %s', async (_, dialect, events) => {
    const scene = await sceneOf(dialect, stream(events.map(named)));
    const [path, body] = requests[dialect];
    const response = await scene.post(path, body);
    const responseText = await response.text();
    expect(responseText).toContain('lazy dog');
    const { logs, drift } = await scene.books();
    expect(logs).toMatchObject([{ type: 2, ended_by: '' }]);
    expect(logs[0]?.completion_tokens).toBeGreaterThanOrEqual(tokens);
    expect(logs[0]?.completion_tokens).toBeLessThanOrEqual(tokens + 10);
    expect(drift).toBe(0);
  });
});
