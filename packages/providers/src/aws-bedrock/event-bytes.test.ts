import { expect, test } from 'vitest';
import { frameSplitters } from '../frames.ts';
import { awsEvent } from '../testing/aws-message.ts';

// Quadratic copying would move a terabyte.
test('[A25.3] assembles a one-megabyte message that arrives byte by byte in linear time', () => {
  const payload = 'Grüße '.repeat(200_000);
  const whole = Buffer.concat([awsEvent('first', 'short'), awsEvent('second', payload), awsEvent('third', 'short')]);
  const cutter = frameSplitters['aws-events']();
  const frames = Array.from(whole, (_, at) => cutter.push(whole.subarray(at, at + 1))).flat();
  expect(frames).toEqual([
    { event: 'first', data: 'short' },
    { event: 'second', data: payload },
    { event: 'third', data: 'short' },
  ]);
});

test('reads messages regardless of where chunks end', () => {
  const whole = Buffer.concat(['one', 'two', 'three'].map((name) => awsEvent(name, name.repeat(20))));
  for (let size = 1; size <= whole.length; size += 1) {
    const cutter = frameSplitters['aws-events']();
    const frames = [];
    for (let at = 0; at < whole.length; at += size) frames.push(...cutter.push(whole.subarray(at, at + size)));
    expect(frames.map(({ event }) => event)).toEqual(['one', 'two', 'three']);
  }
});
