import { expect, test } from 'vitest';
import { runsOf } from '../logs/time-span.ts';
import { PackedTime } from './packed-time.ts';

const hour = 3600;
const day = 86_400;
const at = (index: number) => index * hour;
const packed = (index: number) => ({ hour: at(index), logged: 3, packed: 3, version: 7 });
const stale = (index: number) => ({ hour: at(index), logged: 4, packed: 3, version: 7 });
const never = (index: number) => ({ hour: at(index), logged: 4, packed: null, version: null });
const span = (from: number, to: number) => ({ from: at(from), to: at(to) + hour - 1 });

test('a span is cut into packed hours and others, and nothing lies in both', () => {
  const time = new PackedTime([packed(0), packed(1), stale(2), packed(4), packed(7), never(8), never(9)]);
  expect(time.cut(span(0, 9))).toEqual({
    packed: [span(0, 1), span(4, 7)],
    others: [span(2, 2), span(8, 9)],
  });
  expect(time.cut(span(1, 7))).toEqual({ packed: [span(1, 1), span(4, 7)], others: [span(2, 2)] });
  expect(time.hoursIn(span(1, 8))).toEqual([at(1), at(4), at(7)].map((start) => ({ start, version: 7 })));
});

test('where packed and other hours take turns too often, all between the others is read with them', () => {
  const hours = Array.from({ length: 60 }, (_, index) => (index % 2 === 1 ? stale(index) : packed(index)));
  const { packed: packedSpans, others } = new PackedTime(hours).cut(span(0, 59));
  expect(others).toEqual([span(1, 59)]);
  expect(packedSpans).toEqual([span(0, 0)]);
});

test('a day counts when it lies whole in the span, all its hours are packed and it adds up as many logs', () => {
  const time = new PackedTime([packed(0), packed(23), packed(24), stale(30), packed(48), packed(72)]);
  const rows = new Map([
    [2 * day, { rows: 3, version: 22 }],
    [day, { rows: 7, version: 21 }],
    [3 * day, { rows: 2, version: 23 }],
    [0, { rows: 6, version: 20 }],
  ]);
  expect(time.daysIn(span(0, 95), rows)).toEqual([
    { start: 2 * day, version: 22 },
    { start: 0, version: 20 },
  ]);
  expect(time.daysIn(span(1, 60), rows)).toEqual([]);
});

test('hours in any order make the same runs', () => {
  expect(runsOf([at(50), at(1), at(2), at(24)], day)).toEqual([span(1, 24), span(50, 50)]);
  expect(runsOf([], day)).toEqual([]);
});
