import { useMemo } from 'react';
import { type ChartPoint, type ChartSeries, stack, valueAxis } from './chart-data.ts';
import type { ChartUnit } from './chart-units.ts';
import styles from './named-bars.module.css';
import { SeriesLegend, useHiddenSeries } from './series-legend.tsx';

interface NamedBarsProps {
  readonly series: readonly ChartSeries[];
  /** Rows; their label is the name. */
  readonly points: readonly ChartPoint[];
  readonly unit: ChartUnit;
  /** Follows a row, or one of its series. */
  onOpen(at: number, series: number | undefined): void;
}

const tickCount = 4;

/** Horizontal bars of named rows, so that each name is readable. Decorative; the table is accessible. */
export function NamedBars({ series, points, unit, onOpen }: NamedBarsProps) {
  const { hidden, choose } = useHiddenSeries(series);
  const isShown = (index: number) => !hidden.has(series[index]?.name ?? '');
  const axis = useMemo(
    () =>
      valueAxis(points, (index) => !hidden.has(series[index]?.name ?? ''), { kind: 'bars', unit, ticks: tickCount }),
    [points, series, hidden, unit],
  );
  const percent = (value: number) => `${axis.share(value) * 100}%`;
  const widthOf = (from: number, to: number) => `max(1px, ${Math.abs(axis.share(to) - axis.share(from)) * 100}%)`;
  return (
    <div>
      {series.length > 1 && <SeriesLegend series={series} hidden={hidden} choose={choose} />}
      <div className={styles['rows']} aria-hidden>
        {points.map(({ label, values }, at) => {
          const segments = stack(values, isShown);
          const sum = segments.reduce((total, { from, to }) => total + to - from, 0);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: names repeat
            <div key={`${label} ${at}`} className={styles['row']}>
              <span className={styles['name']} title={label}>
                {label}
              </span>
              <div className={styles['track']}>
                {axis.ticks.map(({ value }) => (
                  <i key={value} style={{ left: percent(value) }} data-zero={value === 0 || undefined} />
                ))}
                {segments.map(({ series: index, from, to }) => (
                  <button
                    key={index}
                    type="button"
                    tabIndex={-1}
                    data-bar
                    title={[series[index]?.label, unit.format(to - from)].filter(Boolean).join(': ')}
                    onClick={() => onOpen(at, index)}
                    style={{
                      left: percent(Math.min(from, to)),
                      width: widthOf(from, to),
                      background: series[index]?.color,
                    }}
                  />
                ))}
              </div>
              <b className={styles['sum']}>{unit.format(sum)}</b>
            </div>
          );
        })}
        <div className={styles['row']}>
          <span />
          <div className={styles['axis']}>
            {axis.ticks.map(({ value, text }) => (
              <span key={value} style={{ left: percent(value) }}>
                {text}
              </span>
            ))}
          </div>
          <b />
        </div>
      </div>
    </div>
  );
}
