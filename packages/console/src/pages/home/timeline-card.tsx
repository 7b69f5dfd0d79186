import type { Usage } from '@headgate/contract';
import { Anchor, Card, SegmentedControl, Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { type TextKey, useTranslation } from '../../i18n/translate.ts';
import { formatNumber } from '../../lib/format/format.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { query } from '../../lib/page/address.ts';
import styles from './home.module.css';
import { axisForRange, timelineQuery } from './home-queries.ts';
import { formatBucketTime, isRecorded, type TimelineMeasure, timelineMeasures } from './timeline.ts';

/** Charts are large, so they are loaded after the metrics. */
const TimelineChart = lazy(async () => ({ default: (await import('./timeline-chart.tsx')).TimelineChart }));

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
        <SegmentedControl
          size="xs"
          aria-label={t('Metric')}
          value={measure}
          data={timelineMeasures.map((value) => ({ value, label: t(measureLabels[value]) }))}
          onChange={(value) => setMeasure(value as TimelineMeasure)}
        />
      </div>
      <div className={styles['timeline']}>
        {isError && !usage ? (
          <Text c="dimmed">{t('Data could not be loaded')}</Text>
        ) : (
          <Suspense fallback={<Skeleton height="100%" />}>
            {usage ? <TimelineChart usage={usage} grain={grain} measure={measure} /> : <Skeleton height="100%" />}
          </Suspense>
        )}
      </div>
      {usage && <TimelineTable usage={usage} grain={grain} />}
    </Card>
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
