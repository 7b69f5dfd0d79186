import '@mantine/core/styles/ColorSwatch.css';
import '@mantine/charts/styles.css';
import { isUsagePeriod, type Usage, type UsageHeading } from '@headgate/contract';
import { BarChart, LineChart } from '@mantine/charts';
import { useNavigate } from '@tanstack/react-router';
import { use } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import styles from './usage.module.css';
import { headingLabel, isUnknown, measureLabels, measureValue, useMeasureFormat } from './usage-labels.ts';
import { logSearch, UsageLogLink } from './usage-links.ts';
import type { UsageState } from './usage-state.ts';

const colors = [
  'indigo.6',
  'teal.6',
  'orange.6',
  'grape.6',
  'cyan.7',
  'pink.6',
  'lime.7',
  'yellow.7',
  'blue.4',
  'red.5',
];
const colorOfOthers = 'gray.5';

/** Charts are not accessible by keyboard; the table is. */
const decorativeProps = { accessibilityLayer: false, margin: { top: 8, right: 24 } };

const look = {
  h: 280,
  tickLine: 'none',
  gridAxis: 'x',
  yAxisProps: { width: 84 },
  xAxisProps: { minTickGap: 24 },
  tooltipAnimationDuration: 0,
} as const;

/** Rows with names are horizontal bars, so that each name is readable. */
const sideways = (count: number) =>
  ({
    orientation: 'vertical',
    h: 72 + count * 30,
    gridAxis: 'y',
    yAxisProps: { width: 190, interval: 0 },
    xAxisProps: { minTickGap: 24 },
  }) as const;

const nameOf = (heading: UsageHeading, at: number) => `${at}`.concat(heading.is_others ? 'o' : '');

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

/** Series and points of the chart, labelled in the console's language. */
function useChartData({ usage, state }: UsageChartProps) {
  const translation = useTranslation();
  const { measure } = state;
  const { isAcross, along, across, alongAxis, acrossAxis } = axesOf(usage, state);
  const series = across
    .map((heading, at) => ({
      name: nameOf(heading, at),
      label: acrossAxis === '' ? '' : headingLabel(heading, acrossAxis, translation),
      color: heading.is_others ? colorOfOthers : (colors[at % colors.length] ?? colorOfOthers),
      hasValues: Boolean(measureValue(heading.total, measure)),
    }))
    // The legend contains only what is drawn.
    .filter(({ hasValues }) => hasValues);
  const single = [{ name: 'value', label: translation.t(measureLabels[measure]), color: 'indigo.6' }];
  const data = along.map((heading, at) => {
    const isKnown = !isUnknown(heading, usage.first);
    const values = across.map((other, place) => {
      const sums = isAcross ? usage.cells[place]?.[at] : usage.cells[at]?.[place];
      return [nameOf(other, place), isKnown && sums ? measureValue(sums, measure) : null];
    });
    const value = isKnown ? measureValue(heading.total, measure) : null;
    return { name: headingLabel(heading, alongAxis, translation), value, ...Object.fromEntries(values) };
  });
  return { data, series, single };
}

/** Chart of the table: times as the x-axis if available, otherwise the rows. Decorative. */
export function UsageChart({ usage, state }: UsageChartProps) {
  const format = useMeasureFormat();
  const navigate = useNavigate();
  const logLink = use(UsageLogLink);
  const { measure } = state;
  const { along, across, alongAxis, acrossAxis } = axesOf(usage, state);
  const { data, series, single } = useChartData({ usage, state });
  /** A bar links to its logs, like the number in the table. */
  const openLogs = (heading: UsageHeading | undefined, at: number) => {
    const ofBar = { axis: alongAxis, heading: along[at] };
    const search = logSearch(usage, [ofBar, { axis: acrossAxis, heading }], measure, state);
    if (search) void navigate(logLink(search));
  };
  const shared = {
    ...look,
    data,
    dataKey: 'name',
    series: across.length > 0 ? series : single,
    valueFormatter: (value: number) => format(value, measure),
  };
  const isTimed = isUsagePeriod(alongAxis);
  const chart =
    state.chart === 'lines' ? (
      <LineChart
        {...shared}
        lineChartProps={decorativeProps}
        curveType="linear"
        withDots={data.length < 40}
        lineProps={{ isAnimationActive: false }}
      />
    ) : (
      <BarChart
        {...shared}
        {...(!isTimed && sideways(data.length))}
        barChartProps={decorativeProps}
        type="stacked"
        maxBarWidth={56}
        barProps={({ name }) => {
          const heading = across.find((each, at) => nameOf(each, at) === name);
          return {
            isAnimationActive: false,
            cursor: heading?.is_others ? 'default' : 'pointer',
            onClick: (_bar, at) => openLogs(heading, at),
          };
        }}
      />
    );
  return (
    <>
      {series.length > 1 && <Legend series={series} />}
      {chart}
    </>
  );
}

interface LegendProps {
  readonly series: readonly { readonly name: string; readonly label: string; readonly color: string }[];
}

/** Above the chart, so a long legend does not shrink it. */
function Legend({ series }: LegendProps) {
  return (
    <div className={styles['legend']}>
      {series.map(({ name, label, color }) => (
        <span key={name}>
          <i style={{ background: `var(--mantine-color-${color.replace('.', '-')})` }} />
          {label}
        </span>
      ))}
    </div>
  );
}
