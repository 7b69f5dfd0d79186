import { expect, onTestFinished, test, vi } from 'vitest';
import { TimeBuckets } from './time-buckets.ts';
import { zoneSpans } from './time-zone.ts';

const seconds = (text: string) => Date.parse(text) / 1000;

test('starts days at local midnight, even when the clocks change', () => {
  const [from, to] = [seconds('2026-10-23T22:00:00Z'), seconds('2026-10-26T22:59:59Z')];
  const { spans, isRounded } = zoneSpans('Europe/Berlin', from, to);
  expect(isRounded).toBe(false);
  expect(spans.map(({ offset }) => offset)).toEqual([7200, 3600]);
  expect(spans[1]?.from).toBe(seconds('2026-10-25T01:00:00Z'));
  expect(new TimeBuckets('day', spans, 100).all).toEqual([
    { key: '2026-10-24', from, to: seconds('2026-10-24T21:59:59Z') },
    { key: '2026-10-25', from: seconds('2026-10-24T22:00:00Z'), to: seconds('2026-10-25T22:59:59Z') },
    { key: '2026-10-26', from: seconds('2026-10-25T23:00:00Z'), to },
  ]);
});

test('separates the two hours when clocks go back', () => {
  const { spans } = zoneSpans('Europe/Berlin', seconds('2026-10-25T00:00:00Z'), seconds('2026-10-25T01:59:59Z'));
  const keys = new TimeBuckets('hour', spans, 100).all.map(({ key }) => key);
  expect(keys).toEqual(['2026-10-25 02:00+02:00', '2026-10-25 02:00+01:00']);
});

test('starts weeks on Monday and months on the first, limited to the requested time range', () => {
  const [from, to] = [seconds('2026-10-29T00:00:00Z'), seconds('2026-11-03T23:59:59Z')];
  const { spans } = zoneSpans('UTC', from, to);
  expect(new TimeBuckets('week', spans, 100).all.map(({ key }) => key)).toEqual(['2026-10-26', '2026-11-02']);
  expect(new TimeBuckets('month', spans, 100).all).toEqual([
    { key: '2026-10', from, to: seconds('2026-10-31T23:59:59Z') },
    { key: '2026-11', from: seconds('2026-11-01T00:00:00Z'), to },
  ]);
});

test('rounds a half-hour time zone to whole hours and reports the rounding', () => {
  const { spans, isRounded } = zoneSpans('Asia/Kolkata', 0, 86_399);
  expect([isRounded, spans[0]?.offset]).toEqual([true, 6 * 3600]);
});

test('rejects a time range of more than twenty years before iterating over its days', () => {
  const walked = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
  onTestFinished(() => walked.mockRestore());
  const years = 21 * 365 * 86_400;
  expect(() => zoneSpans('Europe/Berlin', 0, years)).toThrow('Too much data for one response');
  expect(walked).not.toHaveBeenCalled();
});
