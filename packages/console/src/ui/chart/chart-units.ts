import { shortenNumber } from '@headgate/contract';
import { useMemo } from 'react';
import { browserLocale, formatNumber, formatQuota } from '../../lib/format/format.ts';
import { useStatus } from '../../lib/page/status.ts';

/** How a chart shows its values. */
export interface ChartUnit {
  /** Value of one displayed unit. Ticks are round in displayed units. */
  readonly size: number;
  readonly isWhole: boolean;
  /** Text of a value. */
  format(value: number): string;
  /** Text of a tick, from a number of displayed units. */
  tick(value: number, decimals: number): string;
}

const compactFrom = 10_000;

function tickNumber(value: number, decimals: number): string {
  const isCompact = Math.abs(value) >= compactFrom;
  return new Intl.NumberFormat(
    browserLocale(),
    isCompact
      ? { notation: 'compact', maximumFractionDigits: 1 }
      : { minimumFractionDigits: decimals, maximumFractionDigits: decimals },
  ).format(value);
}

export const countUnit: ChartUnit = { size: 1, isWhole: true, format: formatNumber, tick: tickNumber };

export const percentUnit: ChartUnit = {
  size: 0.01,
  isWhole: false,
  format: (share) => `${formatNumber(Math.round(share * 1000) / 10)}%`,
  tick: (value, decimals) => `${tickNumber(value, decimals)}%`,
};

const msPerSecond = 1000;

/** Durations in milliseconds. Shown in seconds if any of them is that long. */
export const durationUnit = (longest: number): ChartUnit =>
  longest < msPerSecond
    ? {
        size: 1,
        isWhole: true,
        format: (ms) => `${formatNumber(ms)} ms`,
        tick: (value, decimals) => `${tickNumber(value, decimals)} ms`,
      }
    : {
        size: msPerSecond,
        isWhole: false,
        format: (ms) => `${formatNumber(Math.round(ms / 10) / 100)} s`,
        tick: (value, decimals) => `${tickNumber(value, decimals)} s`,
      };

/** Amounts in points, shown in dollars if the gateway shows currency. */
export function useMoneyUnit(): ChartUnit {
  const { display_in_currency, quota_per_unit } = useStatus();
  return useMemo(() => {
    const format = (value: number) => formatQuota(value, { display_in_currency, quota_per_unit });
    if (!display_in_currency) return { size: 1, isWhole: true, format, tick: shortenNumber };
    const tick = (value: number, decimals: number) =>
      `${value < 0 ? '-' : ''}$${tickNumber(Math.abs(value), decimals === 1 ? 2 : decimals)}`;
    return { size: quota_per_unit, isWhole: false, format, tick };
  }, [display_in_currency, quota_per_unit]);
}
