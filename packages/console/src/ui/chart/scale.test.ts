import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { axisTicks, tickDecimals, timeTicks } from './scale.ts';

describe('axisTicks', () => {
  it.each([
    [0, 97, [0, 25, 50, 75, 100]],
    [0, 0.0031, [0, 0.001, 0.002, 0.003, 0.004]],
    [-3, 9, [-5, 0, 5, 10]],
    [0, 0, [0, 1]],
    [4, 4, [0, 1, 2, 3, 4]],
  ])('are round around 0 and the values from %d to %d', (min, max, ticks) => {
    expect(axisTicks({ min, max }, 4)).toEqual(ticks);
  });

  it('are whole for counts', () => {
    expect(axisTicks({ min: 0, max: 2 }, 4, true)).toEqual([0, 1, 2]);
    expect(axisTicks({ min: 0, max: 9 }, 4, true)).toEqual([0, 3, 6, 9]);
  });
});

it('shows as many decimals as tell the ticks apart', () => {
  expect(tickDecimals([0, 25, 50])).toBe(0);
  expect(tickDecimals([0, 0.25, 0.5])).toBe(2);
  expect(tickDecimals([0, 0.002, 0.004])).toBe(3);
});

describe('timeTicks', () => {
  const hours = (start: string, count: number) =>
    Array.from({ length: count }, (_, index) => Date.parse(start) / 1000 + index * 3600);

  it('are at round local times, with the date at midnight', () => {
    vi.stubEnv('TZ', 'Asia/Kolkata');
    onTestFinished(() => void vi.unstubAllEnvs());
    const times = hours('2026-11-05T14:00:00+05:30', 24);
    expect(timeTicks(times, 5)).toEqual([
      { at: 4, isDate: false },
      { at: 10, isDate: true },
      { at: 16, isDate: false },
      { at: 22, isDate: false },
    ]);
  });

  it('are at every day of a week, and at every second month where there is no room for all', () => {
    vi.stubEnv('TZ', 'UTC');
    onTestFinished(() => void vi.unstubAllEnvs());
    const days = Array.from({ length: 7 }, (_, index) => Date.UTC(2026, 10, 1 + index) / 1000);
    expect(timeTicks(days, 10).map(({ at }) => at)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    const months = Array.from({ length: 6 }, (_, index) => Date.UTC(2026, index, 1) / 1000);
    expect(timeTicks(months, 3).map(({ at }) => at)).toEqual([0, 2, 4]);
  });
});
