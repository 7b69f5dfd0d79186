import { describe, expect, it } from 'vitest';
import { hoursOfModel, multiplierAt, readPriceHours, serializePriceHours } from './price-hours.ts';

const read = (text: string) => readPriceHours(text).hours;
const window = (fields: object) => {
  const hours = read(JSON.stringify({ m: [{ from: '08:00', to: '20:00', multiplier: 2, ...fields }] }));
  return hours?.get('m');
};
/** Thursday, November 19, 2026. */
const at = (time: string, day = '2026-11-19') => Date.parse(`${day}T${time}:00Z`);

describe('price hours', () => {
  it.each([
    ['before the hours', '07:59', {}, 1],
    ['at their first minute', '08:00', {}, 2],
    ['in their last minute', '19:59', {}, 2],
    ['at their end', '20:00', {}, 1],
    ['before midnight in hours across midnight', '23:00', { from: '16:30', to: '00:30' }, 2],
    ['after midnight in hours across midnight', '00:29', { from: '16:30', to: '00:30' }, 2],
    ['after hours across midnight', '00:30', { from: '16:30', to: '00:30' }, 1],
    ['at any time when both ends are equal', '03:00', { from: '00:00', to: '00:00' }, 2],
    ['on another day', '12:00', { days: [5] }, 1],
    ['on a listed day', '12:00', { days: [4] }, 2],
    ['in another time zone', '01:00', { zone: 'Asia/Shanghai' }, 2],
    ['outside the hours in another time zone', '12:00', { zone: 'Asia/Shanghai' }, 1],
  ])('multiply the price %s', (_, time, fields, expected) => {
    expect(multiplierAt(window(fields), at(time))).toBe(expected);
  });

  it('start on the day they are listed under, even if they end after midnight', () => {
    const thursdayNight = window({ from: '22:00', to: '06:00', days: [4] });
    expect(multiplierAt(thursdayNight, at('05:00', '2026-11-20'))).toBe(2);
    expect(multiplierAt(thursdayNight, at('05:00'))).toBe(1);
  });

  it("a model's own hours take precedence over the longest matching pattern", () => {
    const one = (multiplier: number) => [{ from: '00:00', to: '00:00', multiplier }];
    const hours = read(JSON.stringify({ '*': one(1), 'deepseek-*': one(2), 'deepseek-chat': one(3) }));
    const multiplierOf = (model: string) => hours && multiplierAt(hoursOfModel(hours, model), 0);
    expect(['deepseek-chat', 'deepseek-reasoner', 'gpt-5'].map(multiplierOf)).toEqual([3, 2, 1]);
    expect(hours && read(serializePriceHours(hours))).toEqual(hours);
  });

  it.each([
    ['a list', '[]', ''],
    ['text that is not JSON', '{', ''],
    ['an invalid time', '{"m":[{"from":"24:00","to":"01:00","multiplier":1}]}', 'm'],
    ['an unknown time zone', '{"m":[{"from":"00:00","to":"01:00","multiplier":1,"zone":"Mars"}]}', 'm'],
    ['a negative multiplier', '{"m":[{"from":"00:00","to":"01:00","multiplier":-1}]}', 'm'],
    ['an unknown field', '{"m":[{"from":"00:00","to":"01:00","multiplier":1,"day":1}]}', 'm'],
  ])('reject %s', (_, text, item) => {
    expect(readPriceHours(text)).toEqual({ item });
  });
});
