import { describe, expect, test } from 'vitest';
import { frameSplitters } from './frames.ts';

const cut = (...chunks: readonly string[]) => {
  const cutter = frameSplitters.sse();
  return [...chunks.flatMap((chunk) => [...cutter.push(Buffer.from(chunk))]), ...cutter.finish()];
};

describe('server-sent events', () => {
  test('reads names, comments, carriage returns and multi-line data', () => {
    expect(cut(': hello\r\n\r\nevent: a\r\nid: 1\r\ndata: x\r\ndata:y\r\n\r\n', 'data: z')).toEqual([
      { event: 'a', data: 'x\ny' },
      { event: '', data: 'z' },
    ]);
  });

  test('reads a JSON body instead of events as one frame', () => {
    expect(cut('{"code":4', '100}')).toEqual([{ event: '', data: '{"code":4100}' }]);
    expect(cut('{\n  "error": {\n    "code": 1\n', '  }\n}\n')).toEqual([
      { event: '', data: '{  "error": {    "code": 1  }}' },
    ]);
  });

  test('does not mistake a stray brace inside a stream for JSON', () => {
    expect(cut('data: x\n\n{"y":1}\n\ndata: z\n\n')).toEqual([
      { event: '', data: 'x' },
      { event: '', data: 'z' },
    ]);
  });
});

test.each([
  ['server-sent events', 'sse', 'data: ', '\n\n'],
  ['lines', 'ndjson', '', '\n'],
] as const)('[A25.3] assembles %s from single bytes in linear time', (_, framing, start, end) => {
  const text = 'Grüße '.repeat(100_000);
  const whole = Buffer.from(start + text + end);
  const cutter = frameSplitters[framing]();
  const frames = Array.from(whole, (_byte, at) => cutter.push(whole.subarray(at, at + 1))).flat();
  expect(frames).toEqual([{ event: '', data: text }]);
});
