import { describe, expect, test } from 'vitest';
import { endpointKinds, responseScanOf } from '../request/endpoint-kinds.ts';
import { recordingTally } from '../testing/recording-tally.ts';
import { ResponseLength } from '../tokens/response-length.ts';
import { SseScanner } from './sse-scanner.ts';

const piece = (text: string) => `data: {"choices":[{"delta":{"content":${JSON.stringify(text)}}}],"usage":null}\n\n`;
const usageEvent = 'data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}\n\n';
const done = 'data: [DONE]\n\n';
const reply = piece('Héllo') + piece(' 世界') + usageEvent;
const stream = reply + done;

const scanned = responseScanOf(endpointKinds.chat);
const isUsageOnly = scanned.isEmptyEvent;

function scan(text: string, cuts: readonly number[], hides?: (event: unknown) => boolean) {
  const scanner = new SseScanner({ scan: scanned, hides });
  const bytes = Buffer.from(text);
  const edges = [0, ...cuts, bytes.length];
  const parts = edges.slice(1).map((edge, index) => scanner.push(bytes.subarray(edges[index], edge)));
  return { scanner, out: Buffer.concat([...parts, scanner.finish()]).toString('utf8') };
}

test('passes everything except the end marker and finds the usage, regardless of how the bytes are split', () => {
  const length = Buffer.byteLength(stream);
  for (let cut = 0; cut <= length; cut += 1) {
    const { scanner, out } = scan(stream, [cut]);
    expect(out, `cut at ${cut}`).toBe(reply);
    expect(scanner).toMatchObject({ events: 3, isComplete: true, usage: { totalTokens: 5 }, problem: undefined });
  }
});

test('removes the usage event for a client that did not request it, regardless of how the bytes are split', () => {
  const expected = piece('Héllo') + piece(' 世界');
  const length = Buffer.byteLength(stream);
  for (let cut = 0; cut <= length; cut += 1) {
    expect(scan(stream, [cut], isUsageOnly).out.replace(/\n{3,}$/, '\n\n'), `cut at ${cut}`).toBe(expected);
  }
});

const filtered =
  'data: {"choices":[],"created":0,"id":"","model":"","object":"","prompt_filter_results":[{"prompt_index":0,"content_filter_results":{"hate":{"filtered":false,"severity":"safe"},"jailbreak":{"detected":false,"filtered":false}}}]}\n\n';

test("does not count Azure's prompt filter result as content, and forwards it only to clients that expect it", () => {
  expect(scan(filtered, []).scanner).toMatchObject({ events: 0, length: { read: 0 }, problem: undefined });
  const length = Buffer.byteLength(filtered + stream);
  for (let cut = 0; cut <= length; cut += 7) {
    const { scanner, out } = scan(filtered + stream, [cut]);
    expect(out, `cut at ${cut}`).toBe(filtered + reply);
    expect(scanner).toMatchObject({ events: 3, isComplete: true, usage: { totalTokens: 5 } });
    const hidden = scan(filtered + stream, [cut], isUsageOnly).out.replace(/^\n+|\n+$/g, '');
    expect(hidden, `cut at ${cut}`).toBe((piece('Héllo') + piece(' 世界')).trimEnd());
  }
});

test.each([
  ['CRLF', 'data: {"choices":[],"usage":{"total_tokens":7}}\r\n\r\ndata: [DONE]\r\n\r\n'],
  ['no space after data:', 'data:{"choices":[],"usage":{"total_tokens":7}}\n\ndata:[DONE]\n\n'],
  ['comments and other fields', ': ping\nevent: x\ndata: {"usage":{"total_tokens":7}}\n\ndata: [DONE]\n\n'],
  ['no newline at the end', 'data: {"usage":{"total_tokens":7}}\n\ndata: [DONE]'],
])('finds the usage in a stream with %s and passes the stream through unchanged', (_, text) => {
  const { scanner, out } = scan(text, [5, 17]);
  expect(out).toBe(text.slice(0, text.lastIndexOf('data:')));
  expect(scanner).toMatchObject({ isComplete: true, isBetweenEvents: true, usage: { totalTokens: 7 } });
});

test('detects an error inside the stream, but not text that mentions errors', () => {
  expect(scan('data: {"error":{"message":"boom"}}\n\n', []).scanner.problem?.message).toBe('boom');
  expect(scan(piece('{"error": "x"}, "usage": {}'), []).scanner).toMatchObject({
    problem: undefined,
    usage: undefined,
  });
});

test('rejects an overlong line instead of buffering it', () => {
  const scanner = new SseScanner({ scan: scanned });
  expect(() => {
    for (let index = 0; index < 20; index += 1) scanner.push(Buffer.alloc(1024 * 1024, 'x'));
  }).toThrow('too long');
});

test('[A25.4] drops data after the end marker, in the same chunk and in later ones', () => {
  const { scanner, out } = scan(`${piece('a')}${done}${piece('garbage')}`, [70, 90]);
  expect(out).toBe(piece('a'));
  expect(scanner.events).toBe(1);
});

/** Texts per thread, and tokens of non-text content, in the choices of these events. */
async function contentOf(...events: readonly string[]) {
  const { given, tally } = recordingTally(1_000_000);
  const length = new ResponseLength(tally);
  const scanner = new SseScanner({ scan: scanned, length });
  scanner.push(Buffer.from(events.map((event) => `data: ${event}\n\n`).join('')));
  length.deliver();
  const total = (await length.total()) ?? Number.NaN;
  return { texts: given, others: total - given.join('').length };
}

const choices = (...all: readonly object[]) => JSON.stringify({ choices: all });
const delta = (fields: object, index = 0) => choices({ index, delta: fields, finish_reason: null });
const call = (index: number, fields: object) => ({ index, function: fields });

describe('reading the content of events', () => {
  test.each([
    ['text', [delta({ content: 'a "quoted" word' })], ['a "quoted" word']],
    ['text after spaces', ['{"choices": [{"delta": {"content": "word"}}]}'], ['word']],
    ['escaped text', ['{"choices":[{"delta":{"content":"\\u4e16\\u754c\\n"}}]}'], ['世界\n']],
    ['a completion', [choices({ text: 'word' })], ['word']],
    ['a role only', [delta({ role: 'assistant', content: '' })], []],
    ['reasoning', [delta({ reasoning: 'hm' }), delta({ reasoning: ' so' })], ['hm so']],
    ['reasoning next to empty text', [delta({ content: '', reasoning_content: 'hm' })], ['hm']],
    ['reasoning in two fields', [delta({ reasoning: 'hm', reasoning_content: 'hm' })], ['hm']],
    ['reasoning only in details', [delta({ reasoning_details: [{ type: 'reasoning.text', text: 'hm' }] })], ['hm']],
    ['reasoning next to text', [delta({ content: 'word', reasoning: 'hm' })], ['word', 'hm']],
    ['a refusal', [delta({ refusal: 'no' })], ['no']],
    ['parts', [delta({ content: [{ type: 'text', text: 'wo' }, 'rd'] })], ['word']],
    [
      'reasoning as parts',
      [delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] })],
      ['hm'],
    ],
    ['a call', [delta({ tool_calls: [call(0, { name: 'f', arguments: '{"a":1}' })] })], ['f{"a":1}']],
    ['tool calls', [delta({ tool_calls: [call(0, { arguments: 'x' }), call(1, { arguments: 'y' })] })], ['x', 'y']],
    ['a function_call', [delta({ function_call: { name: 'f', arguments: '{}' } })], ['f{}']],
    [
      'a tool call whose arguments are an object',
      [delta({ tool_calls: [call(0, { arguments: { a: 1 } })] })],
      ['{"a":1}'],
    ],
    ['a custom tool call', [delta({ tool_calls: [{ index: 0, custom: { name: 'f', input: 'x' } }] })], ['fx']],
    [
      'parallel choices',
      [choices({ index: 0, delta: { content: 'x' } }, { index: 1, delta: { content: 'y' } })],
      ['x', 'y'],
    ],
    [
      'interleaved choices',
      [delta({ content: 'x' }), delta({ content: 'y' }, 1), delta({ content: 'z' })],
      ['xz', 'y'],
    ],
    ['an audio transcript', [delta({ audio: { id: 'a', transcript: 'word' } })], ['word']],
    ['text in an unknown field', [delta({ role: 'assistant', musing: { inner: ['hm'] } })], ['hm']],
    ['text without choices', ['{"type":"output_text.delta","delta":"word"}'], ['word']],
    [
      'text that looks like fields',
      [delta({ content: '"content":"x","reasoning":"y"' })],
      ['"content":"x","reasoning":"y"'],
    ],
  ])('extracts text from %s', async (_, events, texts) => {
    expect(await contentOf(...events)).toEqual({ texts, others: 0 });
  });

  const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(100_000)}` } };

  test.each([
    ['an image', delta({ images: [image] }), 1000],
    ['images as parts', delta({ content: [image, image] }), 2000],
    ['an image inside text', delta({ content: `![](${image.image_url.url})` }), 1000 + '![]()'.length],
    ['a second of audio', delta({ audio: { data: 'A'.repeat(64_000) } }), 20],
    ['invalid JSON', '{"choices":[{"delta":{"content":"word"}}', Math.ceil(40 * 0.38)],
    ['deep nesting', `{"choices":[{"delta":{"x":${'['.repeat(100)}"word"${']'.repeat(100)}}}]}`, Math.ceil(236 * 0.38)],
    ['a value that is not an object', '"word"', 3],
  ])('counts tokens for %s', async (_, event, tokens) => {
    const { texts, others } = await contentOf(event);
    expect(others + texts.join('').length).toBe(tokens);
  });

  test('reads an event shaped like the previous one without parsing it, and parses all others', async () => {
    const random = (length: number) => 'x'.repeat(length);
    const events = Array.from({ length: 20 }, (_, index) =>
      JSON.stringify({
        id: `chatcmpl-${index}`,
        created: index,
        obfuscation: random(index),
        choices: [{ index: 0, delta: { content: `${index}\n` }, finish_reason: null }],
        usage: null,
      }),
    );
    const odd = delta({ content: 'a', reasoning: 'b' });
    const { texts } = await contentOf(...events.slice(0, 10), odd, ...events.slice(10));
    const responseTexts = events.map((_, index) => `${index}\n`);
    expect(texts).toEqual([[...responseTexts.slice(0, 10), 'a', ...responseTexts.slice(10)].join(''), 'b']);
  });

  test('ignores the content of errors and hidden events', async () => {
    expect(await contentOf('{"error":{"message":"boom"},"message":"boom"}')).toEqual({ texts: [], others: 0 });
  });
});

test('[A6.3] uses the last value of each token count that is reported in several events', () => {
  const reported = (usage: object) => `data: ${JSON.stringify({ choices: [], usage })}\n\n`;
  const { scanner } = scan(
    reported({ prompt_tokens: 9, completion_tokens: 1 }) + reported({ completion_tokens: 5 }),
    [],
  );
  expect(scanner.usage).toEqual({ promptTokens: 9, completionTokens: 5 });
});

test('distinguishes a finished response from an unfinished one', () => {
  const ending = (reason: string) =>
    scan(`data: {"choices":[{"delta":{},"finish_reason": ${reason}}]}\n\n`, []).scanner;
  expect(ending('"stop"').hasFinishReason).toBe(true);
  expect(ending('null').hasFinishReason).toBe(false);
});

test('handles a line that arrives byte by byte as cheaply as one that arrives whole', () => {
  const scanner = new SseScanner({ scan: scanned });
  const byte = Buffer.from('x');
  const began = performance.now();
  for (let index = 0; index < 1_000_000; index += 1) scanner.push(byte);
  expect(performance.now() - began).toBeLessThan(5000);
});
