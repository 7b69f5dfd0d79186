import type { Usage } from '@headgate/contract';
import { Anchor, Card, SegmentedControl, Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type TextKey, useTranslation } from '../../i18n/translate.ts';
import { formatNumber } from '../../lib/format/format.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { query } from '../../lib/page/address.ts';
import { failureColor, mainColor } from '../../ui/chart/chart-colors.ts';
import { countUnit, useMoneyUnit } from '../../ui/chart/chart-units.ts';
import { LazyChart } from '../../ui/chart/lazy-chart.tsx';
import styles from './home.module.css';
import { axisForRange, timelineQuery } from './home-queries.ts';
import { formatBucketTime, isRecorded, type TimelineMeasure, timelineMeasures } from './timeline.ts';

const measureLabels: Readonly<Record<TimelineMeasure, TextKey>> = {
  quota: 'Spend',
  requests: 'Requests',
  failures: 'Failures',
};

/** Spend, requests and failures over time, as a chart with a table for screen readers. */
export function TimelineCard({ range }: { readonly range: string }) {
  const { t } = useTranslation();
  const [measure, setMeasure] = useState<TimelineMeasure>('quota');
  const { data: usage, isError } = useQuery(timelineQuery(range));
  const { data: previous } = useQuery(timelineQuery(range, true));
  const grain = axisForRange(range);
  return (
    <Card withBorder padding="md" component="section" aria-label={t('Over time')}>
      <div className={styles['timelineHead']}>
        <Title order={2}>{t('Over time')}</Title>
        <Anchor
          component={Link}
          to="/usage"
          search={query({ range, rows: grain, columns: 'none', measure: measure === 'quota' ? undefined : measure })}
          size="sm"
        >
          {t('Show all in usage')}
          <span className={styles['unseen']}>: {t('Over time')}</span>
        </Anchor>
        {previous && <span className={styles['previous']}>{t('Previous period')}</span>}
        <SegmentedControl
          size="xs"
          aria-label={t('Metric')}
          value={measure}
          data={timelineMeasures.map((value) => ({ value, label: t(measureLabels[value]) }))}
          onChange={(value) => setMeasure(value as TimelineMeasure)}
        />
      </div>
      <div className={styles['timeline']}>
        {isError && !usage && <Text c="dimmed">{t('Data could not be loaded')}</Text>}
        {!isError && !usage && <Skeleton height="100%" />}
        {usage && <TimelineChart usage={usage} previous={previous} grain={grain} measure={measure} />}
      </div>
      {usage && <TimelineTable usage={usage} grain={grain} />}
    </Card>
  );
}

const plotHeight = 136;

interface TimelineChartProps {
  readonly usage: Usage;
  /** Usage in the previous period; undefined while loading. */
  readonly previous: Usage | undefined;
  readonly grain: 'hour' | 'day';
  readonly measure: TimelineMeasure;
}

/** Requests are divided into succeeded and failed ones. */
function TimelineChart({ usage, previous, grain, measure }: TimelineChartProps) {
  const { t, language } = useTranslation();
  const money = useMoneyUnit();
  const { series, points } = useMemo(() => {
    const failed = { name: 'failed', label: t('Failed'), color: failureColor };
    const all = {
      quota: [{ name: 'quota', label: t('Spend'), color: mainColor }],
      requests: [failed, { name: 'succeeded', label: t('Succeeded'), color: mainColor }],
      failures: [failed],
    };
    const valuesIn = ({ quota, requests, failures }: Usage['total']) =>
      ({ quota: [quota], requests: [failures, requests - failures], failures: [failures] })[measure];
    return {
      series: all[measure],
      points: usage.rows.map((row) => ({
        time: row.from,
        label: formatBucketTime(row, grain, language),
        values: valuesIn(row.total).map((value) => (isRecorded(row, usage) ? value : null)),
      })),
    };
  }, [usage, grain, measure, t, language]);
  const before = useMemo(
    () => previous?.rows.map((row) => (isRecorded(row, previous) ? row.total[measure] : null)),
    [previous, measure],
  );
  return (
    <LazyChart
      before={before}
      label={t(measureLabels[measure])}
      series={series}
      points={points}
      unit={measure === 'quota' ? money : countUnit}
      height={plotHeight}
    />
  );
}

/** The chart's data for screen readers. */
function TimelineTable({ usage, grain }: { readonly usage: Usage; readonly grain: 'hour' | 'day' }) {
  const translation = useTranslation();
  const { t } = translation;
  const quota = useQuotaFormat();
  const textOf = (measure: TimelineMeasure, value: number) =>
    measure === 'quota' ? quota(value) : formatNumber(value);
  return (
    <div className={styles['unseen']}>
      <table>
        <caption>{t('Over time')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('Time')}</th>
            {timelineMeasures.map((measure) => (
              <th key={measure} scope="col">
                {t(measureLabels[measure])}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {usage.rows.map((row) => (
            <tr key={row.key}>
              <th scope="row">{formatBucketTime(row, grain, translation.language)}</th>
              {timelineMeasures.map((measure) => (
                <td key={measure}>{isRecorded(row, usage) ? textOf(measure, row.total[measure]) : t('No data')}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
