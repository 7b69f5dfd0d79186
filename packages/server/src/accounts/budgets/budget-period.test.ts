import { budgetPeriods } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { periodAt } from './budget-period.ts';

const at = (moment: string) => Date.parse(moment) / 1000;
const written = ({ start, end }: { start: number; end: number }) =>
  [start, end].map((seconds) => new Date(seconds * 1000).toISOString().slice(0, 16));

describe('[A39.2] budget periods', () => {
  test.each([
    ['a normal day', 'day', 'Asia/Shanghai', '2026-11-16T19:00Z', '2026-11-16T16:00', '2026-11-17T16:00'],
    ['a 23-hour day', 'day', 'Europe/Berlin', '2026-03-29T12:00Z', '2026-03-28T23:00', '2026-03-29T22:00'],
    ['a 25-hour day', 'day', 'Europe/Berlin', '2026-10-25T12:00Z', '2026-10-24T22:00', '2026-10-25T23:00'],
    ['a day without midnight', 'day', 'America/Sao_Paulo', '2018-11-04T12:00Z', '2018-11-04T03:00', '2018-11-05T02:00'],
    ['a day with two midnights', 'day', 'America/Havana', '2026-11-01T05:30Z', '2026-11-01T04:00', '2026-11-02T05:00'],
    ['a day that starts at 01:00', 'day', 'Africa/Cairo', '2026-04-24T12:00Z', '2026-04-23T22:00', '2026-04-24T21:00'],
    [
      'a day with a half-hour clock change',
      'day',
      'Australia/Lord_Howe',
      '2026-04-05T00:00Z',
      '2026-04-04T13:00',
      '2026-04-05T13:30',
    ],
    [
      'a day with a two-hour clock change',
      'day',
      'Antarctica/Troll',
      '2026-03-29T12:00Z',
      '2026-03-29T00:00',
      '2026-03-29T22:00',
    ],
    [
      'a day in a zone with a 45-minute offset',
      'day',
      'Pacific/Chatham',
      '2026-09-26T20:00Z',
      '2026-09-26T11:15',
      '2026-09-27T10:15',
    ],
    [
      'a week with a clock change',
      'week',
      'Europe/London',
      '2026-03-29T12:00Z',
      '2026-03-23T00:00',
      '2026-03-29T23:00',
    ],
    ['a week starting on Monday', 'week', 'UTC', '2026-11-15T23:59Z', '2026-11-09T00:00', '2026-11-16T00:00'],
    [
      'a month with a clock change',
      'month',
      'America/New_York',
      '2026-03-15T00:00Z',
      '2026-03-01T05:00',
      '2026-04-01T04:00',
    ],
    [
      'a month in a zone with a 45-minute offset',
      'month',
      'Asia/Kathmandu',
      '2026-11-30T18:20Z',
      '2026-11-30T18:15',
      '2026-12-31T18:15',
    ],
    [
      'a month in which a zone skips the 30th',
      'month',
      'Pacific/Apia',
      '2011-12-31T09:00Z',
      '2011-12-01T10:00',
      '2011-12-31T10:00',
    ],
  ] as const)('returns the start and end of %s', (...[, period, zone, moment, start, end]) => {
    expect(written(periodAt(period, zone, at(moment)))).toEqual([start, end]);
  });

  test.each(['Mars/Olympus', 'Europe/Kyiv2', '', '../etc/passwd', 'x'.repeat(1000)])(
    '[A53.10] computes periods in UTC for the unknown time zone %j',
    (zone) => {
      const moment = at('2026-03-29T12:00Z');
      for (const period of budgetPeriods)
        expect(periodAt(period, zone, moment)).toEqual(periodAt(period, 'UTC', moment));
    },
  );

  test('periods are contiguous in any time zone at any time', () => {
    const zones = Intl.supportedValuesOf('timeZone');
    let state = 7;
    const chance = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    for (let round = 0; round < 2000; round += 1) {
      const zone = zones[chance(zones.length)] ?? 'UTC';
      const period = budgetPeriods[chance(3)] ?? 'day';
      const moment = at('2000-01-01T00:00Z') + chance(40 * 365 * 86_400);
      const { start, end } = periodAt(period, zone, moment);
      const where = `${period} ${zone} ${moment}`;
      expect([where, start <= moment && moment < end]).toEqual([where, true]);
      expect([where, periodAt(period, zone, end - 1)]).toEqual([where, { start, end }]);
      expect([where, periodAt(period, zone, end).start]).toEqual([where, end]);
    }
  });
});
