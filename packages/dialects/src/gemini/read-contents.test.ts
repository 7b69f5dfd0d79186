import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../json-fields.ts';
import { readContents } from './read-contents.ts';
import { encodeForeignReasoning } from './reasoning-signature.ts';

const user = (...parts: readonly JsonObject[]) => ({ role: 'user', parts });
const model = (...parts: readonly JsonObject[]) => ({ role: 'model', parts });
const call = (name: string, more: JsonObject = {}) => ({ functionCall: { name, args: {}, ...more } });
const result = (name: string, response: JsonObject, more: JsonObject = {}) => ({
  functionResponse: { name, response, ...more },
});
const blob = { mimeType: 'image/png', data: 'AA-_' };
const image = { type: 'image', image: { mediaType: 'image/png', data: 'AA+/' } };

describe('Gemini user messages', () => {
  test('reads text, images, audio and files', () => {
    const parts = [
      { text: 'Look' },
      { inlineData: blob },
      { inline_data: { mime_type: 'audio/mpeg', data: 'AAAA' } },
      { inlineData: { mimeType: 'application/pdf', data: 'AAAA', displayName: 'a.pdf' } },
      { fileData: { fileUri: 'https://a.example/b.png', mimeType: 'image/png' } },
    ];
    expect(readContents([user(...parts)])).toEqual([
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'Look' },
          image,
          { type: 'audio', data: 'AAAA', format: 'mp3' },
          { type: 'file', name: 'a.pdf', data: 'data:application/pdf;base64,AAAA' },
          { type: 'image', image: { url: 'https://a.example/b.png' } },
        ],
      },
    ]);
  });

  test("puts the user's text after the tool results of the same turn", () => {
    const messages = readContents([model(call('now')), user({ text: 'And?' }, result('now', { output: 'noon' }))]);
    expect(messages.map(({ role }) => role)).toEqual(['assistant', 'tool', 'user']);
  });
});

describe('Gemini calls and results', () => {
  test('matches calls and results by id', () => {
    const contents = [
      model(call('now', { id: 'a' }), call('now', { id: 'b' })),
      {
        role: 'function',
        parts: [result('now', { output: 'two' }, { id: 'b' }), result('now', { output: 'one' }, { id: 'a' })],
      },
    ];
    expect(readContents(contents)).toMatchObject([
      { toolCalls: [{ id: 'a' }, { id: 'b' }] },
      { toolCallId: 'b', text: 'two' },
      { toolCallId: 'a', text: 'one' },
    ]);
  });

  test('assigns position-based ids to calls and results without ids, stable across turns', () => {
    const contents = [
      user({ text: 'Hi' }),
      model(call('now'), call('weather'), call('now')),
      user(result('now', { output: '1' }), result('now', { output: '3' }), result('weather', { output: '2' })),
      model(call('now')),
      user(result('now', { output: '4' })),
    ];
    const ids = (read: ReturnType<typeof readContents>) =>
      read.flatMap((message) => (message.role === 'tool' ? [[message.toolCallId, message.text]] : []));
    const all = ids(readContents(contents));
    expect(all).toEqual([
      ['call_1_0', '1'],
      ['call_1_2', '3'],
      ['call_1_1', '2'],
      ['call_3_0', '4'],
    ]);
    expect(all.slice(0, 3)).toEqual(ids(readContents(contents.slice(0, 3))));
  });

  test('matches calls and results by name when only the result has an id', () => {
    const [, message] = readContents([model(call('now')), user(result('now', {}, { id: 'own' }))]);
    expect(message).toMatchObject({ toolCallId: 'call_0_0' });
  });

  test.each<[JsonObject, string, boolean | undefined]>([
    [{ output: 'noon' }, 'noon', undefined],
    [{ result: 'noon' }, 'noon', undefined],
    [{ error: 'No clock' }, 'No clock', true],
    [{ error: { code: 5 } }, '{"code":5}', true],
    [{ hour: 12 }, '{"hour":12}', undefined],
    [{ output: 'noon', zone: 'UTC' }, '{"output":"noon","zone":"UTC"}', undefined],
    [{}, '', undefined],
  ])('reads the tool result %j', (response, text, isError) => {
    const [, message] = readContents([model(call('now')), user(result('now', response))]);
    expect(message).toMatchObject({ role: 'tool', text });
    expect(message).toHaveProperty('toolCallId', 'call_0_0');
    expect(message?.role === 'tool' && message.isError).toBe(isError);
  });

  test('reads an image in a tool result', () => {
    const shown = result('look', { output: 'A dot' }, { parts: [{ inlineData: blob }] });
    const [, message] = readContents([model(call('look')), user(shown)]);
    expect(message).toMatchObject({ parts: [{ type: 'text', text: 'A dot' }, image] });
  });

  test('[A27.1] matches 20,000 tool results without ids in linear time', () => {
    const count = 20_000;
    const calls = Array.from({ length: count }, () => call('now'));
    const results = Array.from({ length: count }, () => result('now', { output: 'noon' }));
    expect(readContents([model(...calls), user(...results)]).at(-1)).toMatchObject({
      toolCallId: `call_0_${count - 1}`,
    });
  });
});

describe('Gemini model messages', () => {
  const claude = encodeForeignReasoning('anthropic', [
    { text: 'I wonder', maker: 'anthropic', signature: 's1' },
    { text: '', maker: 'anthropic', sealed: 'x' },
  ]);
  const claudes = [
    { text: 'I wonder', maker: 'anthropic', signature: 's1' },
    { text: '', maker: 'anthropic', sealed: 'x' },
  ];

  test('merges the chunks of one model turn into one message', () => {
    const contents = [model({ text: 'Hel' }), model({ text: 'lo' }), model(call('now')), user(result('now', {}))];
    expect(readContents(contents)).toMatchObject([
      { role: 'assistant', text: 'Hello', toolCalls: [{ id: 'call_0_0', name: 'now' }] },
      { role: 'tool', toolCallId: 'call_0_0' },
    ]);
  });

  test("attaches Google's signature to the call or the reasoning with which it was sent", () => {
    const parts = [
      { text: 'I wonder', thought: true },
      { text: 'Hello', thoughtSignature: 'c2Vh' },
      { functionCall: { name: 'now', args: { zone: 'UTC' } }, thought_signature: 'bA==' },
    ];
    expect(readContents([model(...parts)])).toEqual([
      {
        role: 'assistant',
        text: 'Hello',
        parts: [{ type: 'text', text: 'Hello' }],
        thoughts: [{ text: 'I wonder', maker: 'google', signature: 'c2Vh' }],
        toolCalls: [{ id: 'call_0_0', name: 'now', arguments: '{"zone":"UTC"}', thoughtSignature: 'bA==' }],
      },
    ]);
  });

  test.each([
    ['with visible reasoning', [{ text: 'I wonder', thought: true }]],
    ['when the client dropped the reasoning', []],
  ])("restores another vendor's reasoning from the signature of a call %s", (_, shown) => {
    const [message] = readContents([model(...shown, { ...call('now'), thoughtSignature: claude })]);
    expect(message).toMatchObject({ thoughts: claudes });
    expect(message?.role === 'assistant' && message.toolCalls[0]).not.toHaveProperty('thoughtSignature');
  });

  test("restores another vendor's reasoning from both base64 alphabets", () => {
    const seal = encodeForeignReasoning('openai', [{ text: '', maker: 'openai', sealed: '>>>???ÿÿ', id: 'rs_1' }]);
    const other = seal.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
    expect(other).not.toBe(seal);
    expect(readContents([model({ text: 'Hi', thoughtSignature: other })])).toMatchObject([
      { thoughts: [{ text: '', maker: 'openai', sealed: '>>>???ÿÿ', id: 'rs_1' }] },
    ]);
  });

  test.each(['hg1.anthropic.', 'hg1.anthropic.{', 'hg1.openai.5', 'hg1.openai.[5]'])(
    'ignores a corrupted signature: %s',
    (tag) => {
      const thoughtSignature = Buffer.from(tag).toString('base64');
      expect(readContents([model({ text: 'Hi', thoughtSignature })])).toMatchObject([{ text: 'Hi', thoughts: [] }]);
    },
  );

  test('drops empty model messages', () => {
    expect(readContents([user({ text: 'Hi' }), model(), user({ text: 'Still there?' })])).toHaveLength(2);
  });
});
