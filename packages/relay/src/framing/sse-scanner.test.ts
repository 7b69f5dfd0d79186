import { expect, test } from 'vitest';
import { SseScanner } from './sse-scanner.ts';

const piece = (text: string) => `data: {"choices":[{"delta":{"content":${JSON.stringify(text)}}}],"usage":null}\n\n`;
const usageEvent = 'data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}\n\n';
const done = 'data: [DONE]\n\n';
const answer = piece('Héllo') + piece(' 世界') + usageEvent;
const stream = answer + done;

const isUsageOnly = (event: unknown) => (event as { choices?: unknown[] }).choices?.length === 0;

function scan(text: string, cuts: readonly number[], hides?: (event: unknown) => boolean) {
  const scanner = new SseScanner(hides);
  const bytes = Buffer.from(text);
  const edges = [0, ...cuts, bytes.length];
  const parts = edges.slice(1).map((edge, index) => scanner.push(bytes.subarray(edges[index], edge)));
  return { scanner, out: Buffer.concat([...parts, scanner.finish()]).toString('utf8') };
}

test('wherever the bytes are cut, what comes out is what came in but the end mark, and the usage is found', () => {
  const length = Buffer.byteLength(stream);
  for (let cut = 0; cut <= length; cut += 1) {
    const { scanner, out } = scan(stream, [cut]);
    expect(out, `cut at ${cut}`).toBe(answer);
    expect(scanner).toMatchObject({ pieces: 2, isComplete: true, usage: { total_tokens: 5 }, problem: undefined });
  }
});

test('the usage event is hidden from a client that did not ask for it, wherever it is cut', () => {
  const expected = piece('Héllo') + piece(' 世界');
  const length = Buffer.byteLength(stream);
  for (let cut = 0; cut <= length; cut += 1) {
    expect(scan(stream, [cut], isUsageOnly).out.replace(/\n{3,}$/, '\n\n'), `cut at ${cut}`).toBe(expected);
  }
});

const filtered =
  'data: {"choices":[],"created":0,"id":"","model":"","object":"","prompt_filter_results":[{"prompt_index":0,"content_filter_results":{"hate":{"filtered":false,"severity":"safe"},"jailbreak":{"detected":false,"filtered":false}}}]}\n\n';

test('Azure’s word on the prompt is no piece and no event; only who is ready for it sees it', () => {
  expect(scan(filtered, []).scanner).toMatchObject({ events: 0, pieces: 0, textBytes: 0, problem: undefined });
  const length = Buffer.byteLength(filtered + stream);
  for (let cut = 0; cut <= length; cut += 7) {
    const { scanner, out } = scan(filtered + stream, [cut]);
    expect(out, `cut at ${cut}`).toBe(filtered + answer);
    expect(scanner).toMatchObject({ pieces: 2, events: 3, isComplete: true, usage: { total_tokens: 5 } });
    const hidden = scan(filtered + stream, [cut], isUsageOnly).out.replace(/^\n+|\n+$/g, '');
    expect(hidden, `cut at ${cut}`).toBe((piece('Héllo') + piece(' 世界')).trimEnd());
  }
});

test.each([
  ['CRLF', 'data: {"choices":[],"usage":{"total_tokens":7}}\r\n\r\ndata: [DONE]\r\n\r\n'],
  ['no space after data:', 'data:{"choices":[],"usage":{"total_tokens":7}}\n\ndata:[DONE]\n\n'],
  ['comments and other fields', ': ping\nevent: x\ndata: {"usage":{"total_tokens":7}}\n\ndata: [DONE]\n\n'],
  ['no newline at the end', 'data: {"usage":{"total_tokens":7}}\n\ndata: [DONE]'],
])('%s is understood and passed on as it is', (_, text) => {
  const { scanner, out } = scan(text, [5, 17]);
  expect(out).toBe(text.slice(0, text.lastIndexOf('data:')));
  expect(scanner).toMatchObject({ isComplete: true, isBetweenEvents: true, usage: { total_tokens: 7 } });
});

test('an error inside the stream is seen; text that only speaks of errors is not one', () => {
  expect(scan('data: {"error":{"message":"boom"}}\n\n', []).scanner.problem?.message).toBe('boom');
  expect(scan(piece('{"error": "x"}, "usage": {}'), []).scanner).toMatchObject({
    problem: undefined,
    usage: undefined,
  });
});

test('a line without end is refused instead of kept', () => {
  const scanner = new SseScanner();
  expect(() => {
    for (let index = 0; index < 20; index += 1) scanner.push(Buffer.alloc(1024 * 1024, 'x'));
  }).toThrow('too long');
});

test('[A25.4] what follows the end mark is dropped, in its chunk and after', () => {
  const { scanner, out } = scan(`${piece('a')}${done}${piece('garbage')}`, [70, 90]);
  expect(out).toBe(piece('a'));
  expect(scanner.pieces).toBe(1);
});

test.each([
  ['a chat', '{"choices":[{"delta":{"content": "a \\"quoted\\" word"}}]}', 17],
  ['a call of a tool', '{"choices":[{"delta":{"tool_calls":[{"function":{"arguments":"{\\"a\\":1}"}}]}}]}', 9],
  ['a completion', '{"choices":[{"text":"word"}]}', 4],
  ['a role', '{"choices":[{"delta":{"role":"assistant","content":""}}]}', 0],
])('the text of %s is counted', (_, event, textBytes) => {
  expect(scan(`data: ${event}\n\n`, []).scanner).toMatchObject({ textBytes, pieces: textBytes > 0 ? 1 : 0 });
});

test('an answer that came to its own end is known from one that did not', () => {
  const ending = (reason: string) =>
    scan(`data: {"choices":[{"delta":{},"finish_reason": ${reason}}]}\n\n`, []).scanner;
  expect(ending('"stop"').hasFinishReason).toBe(true);
  expect(ending('null').hasFinishReason).toBe(false);
});

test('a line that comes byte by byte costs no more than one that comes at once', () => {
  const scanner = new SseScanner();
  const byte = Buffer.from('x');
  const began = performance.now();
  for (let index = 0; index < 1_000_000; index += 1) scanner.push(byte);
  expect(performance.now() - began).toBeLessThan(5000);
});
