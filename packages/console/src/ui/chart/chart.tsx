import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import styles from './chart.module.css';
import { type ChartKind, type ChartPoint, type ChartSeries, tooltipRows, valueAxis } from './chart-data.ts';
import { Crosshair, Plot } from './chart-plot.tsx';
import { type ChartCrosshair, useChartPointer } from './chart-pointer.ts';
import { ChartTooltip } from './chart-tooltip.tsx';
import type { ChartUnit } from './chart-units.ts';
import { timeTicks } from './scale.ts';
import { SeriesLegend, useHiddenSeries } from './series-legend.tsx';

export interface ChartProps {
  /** Name for screen readers. */
  readonly label: string;
  readonly series: readonly ChartSeries[];
  readonly points: readonly ChartPoint[];
  readonly unit: ChartUnit;
  readonly kind?: ChartKind;
  /** Height of the plot in pixels, without legend and time axis. */
  readonly height: number;
  /** Replaces the legend that shows and hides the series. */
  readonly legend?: ReactNode;
  readonly crosshair?: ChartCrosshair;
  /** Values of the previous period by point, drawn as a faint line; null for no data. */
  readonly before?: readonly (number | null)[] | undefined;
  /** Follows a point, or one of its series, on a click or Enter. */
  onOpen?(at: number, series: number | undefined): void;
  /** Selects a range by dragging, or one point by Enter. */
  onZoom?(first: number, last: number): void;
}

/** Values over time, with axes, a crosshair that the arrow keys move, and a legend that hides series. */
export function Chart(props: ChartProps) {
  const { label, series, points, unit, kind = 'bars', height, legend, before } = props;
  const { t } = useTranslation();
  const { hidden, choose } = useHiddenSeries(series);
  const { at, isHere, isChosen, handlers } = useChartPointer({
    count: points.length,
    crosshair: props.crosshair,
    onOpen: props.onOpen,
    onZoom: props.onZoom,
  });
  const axis = useMemo(
    () =>
      valueAxis(points, (index) => !hidden.has(series[index]?.name ?? ''), {
        kind,
        unit,
        ticks: Math.min(5, Math.max(2, Math.round(height / 56))),
        before,
      }),
    [points, series, hidden, kind, unit, height, before],
  );
  const plot = { series, points, axis, kind, hidden, before };
  const rowsAt = (index: number) => {
    const point = points[index];
    const shown = series.flatMap((each, position) => (hidden.has(each.name) ? [] : [position]));
    const own = point && { ...point, values: shown.map((position) => point.values[position] ?? null) };
    const texts = { noData: t('No data'), total: t('Total') };
    if (!own) return [];
    const rows = tooltipRows(
      own,
      shown.flatMap((position) => series[position] ?? []),
      { kind, unit, texts },
    );
    const previous = before?.[index] ?? null;
    return previous === null ? rows : [...rows, { label: t('Previous period'), text: unit.format(previous) }];
  };
  const last = Math.max(points.length - 1, 0);
  const valueText = `${points[at ?? last]?.label}: ${rowsAt(at ?? last)
    .map(({ label: name, text }) => `${name} ${text}`.trim())
    .join(', ')}`;
  return (
    <div className={styles['chart']}>
      {legend ?? (series.length > 1 && <SeriesLegend series={series} hidden={hidden} choose={choose} />)}
      <div className={styles['body']} style={{ height }}>
        <ValueAxisLabels axis={axis} />
        <div
          className={styles['plot']}
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={last}
          aria-valuenow={at ?? last}
          aria-valuetext={valueText}
          data-clickable={props.onOpen !== undefined || undefined}
          {...handlers}
        >
          <Plot {...plot} />
          {points.some((_, index) => isChosen(index)) && <Selection points={points} isChosen={isChosen} />}
          {at !== undefined && <Crosshair {...plot} at={at} />}
          {at !== undefined && isHere && (
            <ChartTooltip
              title={points[at]?.label ?? ''}
              rows={rowsAt(at)}
              share={(at + 0.5) / Math.max(points.length, 1)}
            />
          )}
        </div>
      </div>
      <div className={styles['foot']}>
        <ValueAxisLabels axis={axis} isSpace />
        <TimeAxis points={points} />
      </div>
    </div>
  );
}

interface ValueAxisLabelsProps {
  readonly axis: ReturnType<typeof valueAxis>;
  /** Keeps the width of the labels free. */
  readonly isSpace?: boolean;
}

function ValueAxisLabels({ axis: { ticks, share }, isSpace = false }: ValueAxisLabelsProps) {
  const longest = ticks.reduce((all, { text }) => (text.length > all.length ? text : all), '');
  return (
    <div className={styles['values']} aria-hidden>
      <span className={styles['widest']}>{longest}</span>
      {!isSpace &&
        ticks.map(({ value, text }) => (
          <span key={value} className={styles['value']} style={{ bottom: `${share(value) * 100}%` }}>
            {text}
          </span>
        ))}
    </div>
  );
}

function Selection({
  points,
  isChosen,
}: {
  readonly points: readonly ChartPoint[];
  readonly isChosen: (index: number) => boolean;
}) {
  const chosen = points.flatMap((_, index) => (isChosen(index) ? [index] : []));
  const [first = 0] = chosen;
  const size = 100 / points.length;
  return (
    <div className={styles['selection']} style={{ left: `${first * size}%`, width: `${chosen.length * size}%` }} />
  );
}

/** Width of a time with its margin, in pixels. */
const tickWidth = 64;
const usualWidth = 640;

const timeForms = {
  date: { month: 'short', day: 'numeric' },
  time: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

function TimeAxis({ points }: { readonly points: readonly ChartPoint[] }) {
  const { language } = useTranslation();
  const element = useRef<HTMLDivElement>(null);
  const width = useWidth(element);
  const ticks = timeTicks(
    points.map(({ time }) => time),
    Math.max(1, Math.floor(width / tickWidth)),
  );
  const textOf = (at: number, isDate: boolean) =>
    new Intl.DateTimeFormat(language, timeForms[isDate ? 'date' : 'time']).format((points[at]?.time ?? 0) * 1000);
  const isInside = (at: number) => ((points.length - at - 0.5) / points.length) * width > tickWidth / 3;
  return (
    <div ref={element} className={styles['times']} aria-hidden>
      {ticks
        .filter(({ at }) => isInside(at))
        .map(({ at, isDate }) => (
          <span key={at} style={{ left: `${((at + 0.5) / points.length) * 100}%` }}>
            {textOf(at, isDate)}
          </span>
        ))}
    </div>
  );
}

function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(usualWidth);
  useEffect(() => {
    const measured = element.current;
    if (!measured) return;
    const observer = new ResizeObserver(() => setWidth(measured.clientWidth || usualWidth));
    observer.observe(measured);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
