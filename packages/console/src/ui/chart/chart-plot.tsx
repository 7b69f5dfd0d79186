import { Fragment, memo } from 'react';
import styles from './chart.module.css';
import { type ChartKind, type ChartPoint, type ChartSeries, stack, type ValueAxis } from './chart-data.ts';

export interface PlotProps {
  readonly series: readonly ChartSeries[];
  readonly points: readonly ChartPoint[];
  readonly axis: ValueAxis;
  readonly kind: ChartKind;
  readonly hidden: ReadonlySet<string>;
  /** Values of the previous period. */
  readonly before: readonly (number | null)[] | undefined;
}

const percent = (share: number): string => `${Math.round(share * 1e5) / 1e3}%`;

/** Grid, and bars or lines. Does not change while the crosshair moves. */
export const Plot = memo(function Plot(props: PlotProps) {
  const { axis, kind } = props;
  return (
    <>
      {axis.ticks.map(({ value }) => (
        <div
          key={value}
          className={styles['grid']}
          data-zero={value === 0 || undefined}
          style={{ bottom: percent(axis.share(value)) }}
        />
      ))}
      {kind === 'bars' ? <Bars {...props} /> : <Lines {...props} />}
      {props.before && <PreviousLine axis={axis} points={props.points} before={props.before} />}
    </>
  );
});

function Bars({ series, points, axis, hidden }: PlotProps) {
  const isShown = (index: number) => !hidden.has(series[index]?.name ?? '');
  return (
    <div className={styles['bars']} aria-hidden>
      {points.map(({ time, values }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: local hours repeat when daylight saving time ends
        <div key={`${time} ${at}`} className={styles['slot']}>
          {stack(values, isShown).map((segment) => (
            <div
              key={segment.series}
              className={styles['bar']}
              data-bar
              data-series={segment.series}
              style={{
                bottom: percent(axis.share(Math.min(segment.from, segment.to))),
                height: `max(1px, ${percent(axis.share(Math.max(segment.from, segment.to)) - axis.share(Math.min(segment.from, segment.to)))})`,
                background: series[segment.series]?.color,
              }}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

const viewWidth = 1000;
const viewHeight = 100;

function Lines({ series, points, axis, hidden }: PlotProps) {
  return (
    <svg className={styles['lines']} viewBox={`0 0 ${viewWidth} ${viewHeight}`} preserveAspectRatio="none" aria-hidden>
      {series.map(({ name, color }, index) =>
        hidden.has(name) ? null : (
          <Fragment key={name}>
            <path d={linePath(points, axis, index)} style={{ stroke: color }} />
            <path d={dotPath(points, axis, index)} style={{ stroke: color }} data-dots />
          </Fragment>
        ),
      )}
    </svg>
  );
}

interface PreviousLineProps extends Pick<PlotProps, 'axis' | 'points'> {
  readonly before: readonly (number | null)[];
}

/** Faint line of the previous period. */
function PreviousLine({ axis, points, before }: PreviousLineProps) {
  const shifted = points.map((point, at) => ({ ...point, values: [before[at] ?? null] }));
  return (
    <svg
      className={styles['lines']}
      viewBox={`0 0 ${viewWidth} ${viewHeight}`}
      preserveAspectRatio="none"
      aria-hidden
      data-before
    >
      <path d={linePath(shifted, axis, 0)} />
    </svg>
  );
}

const valueAt = (points: readonly ChartPoint[], at: number, series: number) => points[at]?.values[series] ?? null;

function placeOf(points: readonly ChartPoint[], axis: ValueAxis, at: number, value: number): string {
  const x = (((at + 0.5) / points.length) * viewWidth).toFixed(1);
  return `${x} ${((1 - axis.share(value)) * viewHeight).toFixed(2)}`;
}

/** Line through the values of a series, interrupted where there is no data. */
const linePath = (points: readonly ChartPoint[], axis: ValueAxis, series: number): string =>
  points
    .map((_, at) => {
      const value = valueAt(points, at, series);
      if (value === null) return '';
      return (valueAt(points, at - 1, series) === null ? 'M' : 'L') + placeOf(points, axis, at, value);
    })
    .join('');

/** Dots for values without neighbors. */
const dotPath = (points: readonly ChartPoint[], axis: ValueAxis, series: number): string =>
  points
    .map((_, at) => {
      const value = valueAt(points, at, series);
      const isAlone = [at - 1, at + 1].every((beside) => valueAt(points, beside, series) === null);
      if (value === null || !isAlone) return '';
      const place = placeOf(points, axis, at, value);
      return `M${place}L${place}`;
    })
    .join('');

/** Line through the pointed time, and the values of lines on it. */
export function Crosshair({ at, series, points, axis, kind, hidden }: PlotProps & { readonly at: number }) {
  const left = percent((at + 0.5) / points.length);
  const values = points[at]?.values ?? [];
  return (
    <>
      <div className={styles['crosshair']} style={{ left }} />
      {kind === 'lines' &&
        series.map(({ name, color }, index) => {
          const value = values[index] ?? null;
          if (value === null || hidden.has(name)) return null;
          return (
            <div
              key={name}
              className={styles['dot']}
              style={{ left, bottom: percent(axis.share(value)), background: color }}
            />
          );
        })}
    </>
  );
}
