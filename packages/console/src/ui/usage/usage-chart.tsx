import { isUsagePeriod, type Usage, type UsageHeading } from '@headgate/contract';
import { useNavigate } from '@tanstack/react-router';
import { use, useMemo } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { Chart } from '../chart/chart.tsx';
import { mainColor, othersColor, seriesColor } from '../chart/chart-colors.ts';
import type { ChartPoint, ChartSeries } from '../chart/chart-data.ts';
import { countUnit, useMoneyUnit } from '../chart/chart-units.ts';
import { NamedBars } from '../chart/named-bars.tsx';
import { headingLabel, isUnknown, measureLabels, measuresInPoints, measureValue } from './usage-labels.ts';
import { logSearch, UsageLogLink } from './usage-links.ts';
import type { UsageState } from './usage-state.ts';

const height = 240;

/** Times as the x-axis; without times, the rows. */
function axesOf({ columns, rows }: Usage, state: UsageState) {
  const isAcross = state.columns !== '' && isUsagePeriod(state.columns);
  return isAcross
    ? { isAcross, along: columns, across: rows, alongAxis: state.columns || state.rows, acrossAxis: state.rows }
    : { isAcross, along: rows, across: columns, alongAxis: state.rows, acrossAxis: state.columns };
}

interface UsageChartProps {
  readonly usage: Usage;
  readonly state: UsageState;
}

interface PlottedSeries extends ChartSeries {
  /** Undefined for a chart without columns. */
  readonly heading: UsageHeading | undefined;
}

interface PlottedPoint extends ChartPoint {
  readonly heading: UsageHeading;
}

/** Series and points of the chart, labelled in the console's language. */
function useChartData({ usage, state }: UsageChartProps) {
  const translation = useTranslation();
  return useMemo(() => {
    const { measure } = state;
    const { isAcross, along, across, alongAxis, acrossAxis } = axesOf(usage, state);
    // The legend contains only what is drawn.
    const drawn = across
      .map((heading, at) => ({ heading, at }))
      .filter(({ heading }) => measureValue(heading.total, measure));
    const series: readonly PlottedSeries[] =
      across.length === 0
        ? [{ name: 'value', label: translation.t(measureLabels[measure]), color: mainColor, heading: undefined }]
        : drawn.map(({ heading, at }) => ({
            name: `${at}`,
            label: acrossAxis === '' ? '' : headingLabel(heading, acrossAxis, translation),
            color: heading.is_others ? othersColor : seriesColor(at),
            heading,
          }));
    const points = along.map((heading, at): PlottedPoint => {
      const isKnown = !isUnknown(heading, usage.first);
      const cellOf = (position: number) => (isAcross ? usage.cells[position]?.[at] : usage.cells[at]?.[position]);
      const sums = across.length === 0 ? [heading.total] : drawn.map(({ at: position }) => cellOf(position));
      return {
        time: heading.from,
        label: headingLabel(heading, alongAxis, translation),
        values: sums.map((each) => (isKnown && each ? measureValue(each, measure) : null)),
        heading,
      };
    });
    return { points, series };
  }, [usage, state, translation]);
}

/** Chart of the table: times as the x-axis if available, otherwise the rows that have a value. */
export function UsageChart({ usage, state }: UsageChartProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const logLink = use(UsageLogLink);
  const money = useMoneyUnit();
  const { measure } = state;
  const { alongAxis, acrossAxis } = axesOf(usage, state);
  const { points, series } = useChartData({ usage, state });
  const unit = measuresInPoints.has(measure) ? money : countUnit;
  const isTimed = isUsagePeriod(alongAxis);
  const rows = isTimed ? points : points.filter(({ values }) => values.some(Boolean));
  /** A bar links to its logs, like the number in the table. */
  const openLogs = (at: number, place: number | undefined) => {
    const ofSeries = place === undefined ? undefined : series[place]?.heading;
    const places = [
      { axis: alongAxis, heading: rows[at]?.heading },
      { axis: acrossAxis, heading: ofSeries },
    ];
    const search = logSearch(usage, places, measure, state);
    if (search) void navigate(logLink(search));
  };
  if (!isTimed) return <NamedBars series={series} points={rows} unit={unit} onOpen={openLogs} />;
  return (
    <Chart
      label={t(measureLabels[measure])}
      series={series}
      points={points}
      unit={unit}
      kind={state.chart}
      height={height}
      onOpen={openLogs}
    />
  );
}
