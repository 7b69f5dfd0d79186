import type { ChartUnit } from './chart-units.ts';
import { axisTicks, tickDecimals } from './scale.ts';

export interface ChartSeries {
  readonly name: string;
  readonly label: string;
  /** CSS color. */
  readonly color: string;
}

export interface ChartPoint {
  /** Start of the hour, day or other period, in seconds. */
  readonly time: number;
  /** The period in the tooltip. */
  readonly label: string;
  /** Values by series; null for no data. */
  readonly values: readonly (number | null)[];
}

export type ChartKind = 'bars' | 'lines';

/** Values of a point that are stacked on each other: positive ones upwards, negative ones downwards. */
export interface Segment {
  readonly series: number;
  readonly from: number;
  readonly to: number;
}

export function stack(values: readonly (number | null)[], isShown: (series: number) => boolean): readonly Segment[] {
  let above = 0;
  let below = 0;
  return values.flatMap((value, series): Segment[] => {
    if (!value || !isShown(series)) return [];
    const from = value > 0 ? above : below;
    if (value > 0) above += value;
    else below += value;
    return [{ series, from, to: from + value }];
  });
}

export interface ValueAxis {
  /** Ticks in values, ascending, with their texts. */
  readonly ticks: readonly { readonly value: number; readonly text: string }[];
  /** Position of a value between 0, the bottom, and 1. */
  share(value: number): number;
}

interface AxisOptions {
  readonly kind: ChartKind;
  readonly unit: ChartUnit;
  readonly ticks: number;
  /** Values of the previous period. */
  readonly before?: readonly (number | null)[] | undefined;
}

/** Axis that contains all shown values. */
export function valueAxis(
  points: readonly ChartPoint[],
  isShown: (series: number) => boolean,
  { kind, unit, ticks: count, before = [] }: AxisOptions,
): ValueAxis {
  const shown = points.flatMap(({ values }) =>
    kind === 'bars'
      ? stack(values, isShown).map(({ to }) => to)
      : values.filter((value, series): value is number => value !== null && isShown(series)),
  );
  const ends = [...shown, ...before.filter((value) => value !== null)];
  const range = ends.reduce((all, end) => ({ min: Math.min(all.min, end), max: Math.max(all.max, end) }), {
    min: 0,
    max: 0,
  });
  const ticks = axisTicks({ min: range.min / unit.size, max: range.max / unit.size }, count, unit.isWhole);
  const decimals = tickDecimals(ticks);
  const [bottom = 0] = ticks;
  const top = ticks.at(-1) ?? 1;
  return {
    ticks: ticks.map((tick) => ({ value: tick * unit.size, text: unit.tick(tick, decimals) })),
    share: (value) => (value / unit.size - bottom) / (top - bottom),
  };
}

export interface TooltipRow {
  readonly label: string;
  readonly color?: string;
  readonly text: string;
}

/** Series in a tooltip from which those without a value are left out. */
const manySeries = 5;

interface TooltipTexts {
  readonly noData: string;
  readonly total: string;
}

/** Lines of the tooltip: each series, and the total of several bars. */
export function tooltipRows(
  { values }: ChartPoint,
  series: readonly ChartSeries[],
  { kind, unit, texts }: { readonly kind: ChartKind; readonly unit: ChartUnit; readonly texts: TooltipTexts },
): readonly TooltipRow[] {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return [{ label: texts.noData, text: '' }];
  const rows = series.flatMap(({ label, color }, index): TooltipRow[] => {
    const value = values[index] ?? null;
    if (!value && series.length > manySeries) return [];
    return [{ label, color, text: value === null ? '–' : unit.format(value) }];
  });
  if (kind === 'lines' || series.length < 2) return rows;
  return [...rows, { label: texts.total, text: unit.format(known.reduce((sum, value) => sum + value, 0)) }];
}
