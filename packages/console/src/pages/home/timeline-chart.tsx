import '@mantine/core/styles/ColorSwatch.css';
import '@mantine/charts/styles.css';
import type { Usage } from '@headgate/contract';
import { BarChart } from '@mantine/charts';
import { useTranslation } from '../../i18n/translate.ts';
import { formatNumber } from '../../lib/format/format.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { formatBucketTime, isRecorded, type TimelineMeasure } from './timeline.ts';

const colors: Readonly<Record<TimelineMeasure, string>> = {
  quota: 'indigo.6',
  requests: 'teal.6',
  failures: 'red.6',
};

interface TimelineChartProps {
  readonly usage: Usage;
  readonly grain: 'hour' | 'day';
  readonly measure: TimelineMeasure;
}

/** Decorative; the table is accessible. */
export function TimelineChart({ usage, grain, measure }: TimelineChartProps) {
  const { t, language } = useTranslation();
  const quota = useQuotaFormat();
  const names = { quota: t('Spend'), requests: t('Requests'), failures: t('Failures') };
  const data = usage.rows.map((row) => ({
    time: formatBucketTime(row, grain, language),
    [measure]: isRecorded(row, usage) ? row.total[measure] : null,
  }));
  return (
    <BarChart
      aria-hidden
      h="100%"
      data={data}
      dataKey="time"
      series={[{ name: measure, label: names[measure], color: colors[measure] }]}
      valueFormatter={(value) => (measure === 'quota' ? quota(value) : formatNumber(value))}
      tickLine="none"
      gridAxis="x"
      maxBarWidth={32}
      yAxisProps={{ width: 64, allowDecimals: false, tickCount: 4 }}
      xAxisProps={{ interval: 'equidistantPreserveStart', minTickGap: 24 }}
      barChartProps={{ accessibilityLayer: false, margin: { top: 8 } }}
      barProps={{ isAnimationActive: false }}
      tooltipAnimationDuration={0}
    />
  );
}
