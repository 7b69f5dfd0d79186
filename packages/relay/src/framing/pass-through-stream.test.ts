import { type ChatDelta, UpstreamProblem } from '@headgate/dialects';
import type { ResponseDecoder } from '@headgate/providers';
import { describe, expect, test } from 'vitest';
import { KeyLeakFilter } from '../guards/key-leak-filter.ts';
import { ResponseLength } from '../tokens/response-length.ts';
import { PassThroughStream } from './pass-through-stream.ts';

const key = 'sk-upstream-0123456789';

/** Test decoder: each event is a delta as JSON, and events named `error` are errors. */
const deltas: ResponseDecoder = {
  decode: () => ({ choices: [], usage: undefined }),
  stream: {
    framing: 'sse',
    open: () => ({
      usage: { promptTokens: 3, completionTokens: 2 },
      push: ({ event, data }) => {
        if (event === 'error') throw new UpstreamProblem(503, data);
        return [JSON.parse(data) as ChatDelta];
      },
    }),
  },
};

const open = () =>
  new PassThroughStream(deltas, new ResponseLength(), new KeyLeakFilter({ spelled: [key, btoa(key)] }));
const event = (delta: object, end = '\n\n') => `event: delta\ndata: ${JSON.stringify(delta)}${end}`;
const start = event({ content: 'Hello' });
const last = event({ finishReason: 'stop' });
const stop = 'event: stop\ndata: {}\n\n';

function passed(text: string, step: number) {
  const stream = open();
  let bytes = '';
  for (let at = 0; at < text.length; at += step)
    bytes += stream.push(Buffer.from(text.slice(at, at + step))).toString();
  bytes += stream.finish().toString();
  return { stream, bytes };
}

describe("a stream in the client's dialect", () => {
  test.each([1, 2, 7, 1000])(
    'passes through unchanged when split every %i bytes, and withholds the end until the charge is stored',
    (step) => {
      const { stream, bytes } = passed(start + start + last + stop, step);
      expect(bytes).toBe(start + start);
      expect(stream.ending().toString()).toBe(last + stop);
      expect(stream.hasFinishReason).toBe(true);
      expect(stream.usage).toEqual({ promptTokens: 3, completionTokens: 2 });
      expect(stream.length.read).toBeGreaterThan(0);
    },
  );

  test('accepts every line ending', () => {
    const text = event({ content: 'a' }, '\r\n\r\n');
    expect(passed(text + text, 5).bytes).toBe(text + text);
  });

  test('[A25.3] takes constant time per line when an event has no end', () => {
    const stream = open();
    const line = Buffer.from(`: ${'a'.repeat(61)}\n`);
    let passed = 0;
    for (let lines = 0; lines < 120_000; lines += 1) passed += stream.push(line).length;
    expect(passed).toBe(0);
    expect(() => {
      for (let lines = 0; lines < 120_000; lines += 1) stream.push(line);
    }).toThrow('too long');
  });

  test('[A25.3] takes constant time per event with a million empty events in one chunk', () => {
    const stream = open();
    const text = '\n\n'.repeat(1_000_000);
    expect(
      stream
        .push(Buffer.from(text + start))
        .toString()
        .endsWith(start),
    ).toBe(true);
  });

  test('[A25.3] buffers a limited amount of data after the end of the stream', () => {
    const stream = open();
    stream.push(Buffer.from(last));
    const more = Buffer.from(event({ content: 'a'.repeat(1_000_000) }));
    for (let events = 0; events < 40; events += 1) stream.push(more);
    expect(stream.problem).toMatchObject({ status: 502 });
    expect(stream.ending().length).toBeLessThan(20_000_000);
  });

  test.each(['\n\n', '\r\n\r\n', '\n\r\n'])('finds the event end %j regardless of how it is split', (end) => {
    const text = event({ content: 'a' }, end);
    for (let cut = 1; cut < text.length; cut += 1) {
      const stream = open();
      stream.push(Buffer.from(text.slice(0, 3)));
      const rest = text.slice(3);
      const passed = [rest.slice(0, cut), rest.slice(cut)].map((piece) => stream.push(Buffer.from(piece)).toString());
      expect(passed.join('')).toBe(text);
    }
  });

  test('forwards the content before an error, but not the error or anything after it', () => {
    const { stream, bytes } = passed(`${start}event: error\ndata: no room\n\n${start}`, 1000);
    expect(bytes).toBe(start);
    expect(stream.problem).toMatchObject({ status: 503, message: 'no room' });
  });

  test('reads a final event without a trailing blank line', () => {
    const { stream, bytes } = passed(start + last.trimEnd(), 3);
    expect(bytes).toBe(start);
    expect(stream.hasFinishReason).toBe(true);
  });

  test('fails when the body is not an event stream', () => {
    expect(passed('data: {"content"\n\n', 4).stream.problem).toMatchObject({ status: 502 });
  });

  test.each([key, btoa(key)])("masks the channel's key, even in the last bytes of the stream: %s", (spelled) => {
    const { stream, bytes } = passed(
      event({ content: spelled }) + event({ content: spelled, finishReason: 'stop' }),
      9,
    );
    expect(bytes).not.toContain(spelled);
    expect(bytes).toContain('***');
    expect(stream.ending().toString()).not.toContain(spelled);
  });
});
