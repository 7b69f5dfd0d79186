import type { Usage } from '@headgate/contract';
import { Paper, Skeleton, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { formatTime } from '../../lib/format/format.ts';
import { useStatus } from '../../lib/page/status.ts';
import { EmptyState } from '../empty-state.tsx';
import { exportUsage } from './usage-export.ts';
import { axisText, headingLabel, measureLabels, measureValue } from './usage-labels.ts';
import { sheetOf, tableRows } from './usage-sheet.ts';
import { columnsFor, type UsageState } from './usage-state.ts';
import { UsageTable } from './usage-table.tsx';

/** Charts are large, so they are loaded after the table. */
const UsageChart = lazy(async () => ({ default: (await import('./usage-chart.tsx')).UsageChart }));

type View = NonNullable<ReturnType<typeof useUsageView>>;

interface UsageReportProps {
  readonly usage: Usage;
  readonly state: UsageState;
  readonly view: View;
  readonly isAdmin: boolean;
  change(change: Partial<UsageState>): void;
}

/** Chart and table of usage, or the reason why there is none. */
export function UsageReport({ usage, state, view, isAdmin, change }: UsageReportProps) {
  const { t } = useTranslation();
  if (view.isEmpty) return <Empty usage={usage} />;
  return (
    <>
      {hasChart(usage, state) && (
        <Paper withBorder p="md" component="section" aria-label={t('Usage chart')}>
          <Suspense fallback={<Skeleton height={280} />}>
            <UsageChart usage={usage} state={state} />
          </Suspense>
        </Paper>
      )}
      <UsageTable usage={usage} state={state} isAdmin={isAdmin} change={change} rows={view.rows} titles={view.titles} />
      {usage.total.uncosted_quota > 0 && (
        <Text size="xs" c="dimmed">
          {t('Requests with unknown cost are not included in margins. Set a price or a channel cost to include them.')}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {t('{from} to {to}, rounded to full hours.', { from: formatTime(usage.from), to: formatTime(usage.to) })}{' '}
        {usage.is_rounded && t('Usage is aggregated hourly. In your time zone, days start up to 30 minutes off.')}
      </Text>
    </>
  );
}

/** A chart of nothing but zeros is left out. */
const hasChart = ({ rows }: Usage, { measure }: UsageState): boolean =>
  rows.some(({ total }) => measureValue(total, measure));

/** Reports that there was no usage, or that none was recorded. */
function Empty({ usage }: { readonly usage: Usage }) {
  const { t } = useTranslation();
  const isKnown = usage.first > 0 && usage.to >= usage.first;
  const text = isKnown
    ? t('No usage in this period')
    : usage.first > 0
      ? t('No data: logs start on {time}', { time: formatTime(usage.first) })
      : t('No data: no logs yet');
  return (
    <Paper withBorder p="xl">
      <EmptyState text={text} />
    </Paper>
  );
}

/** The table, its titles, and its export. */
export function useUsageView(usage: Usage | undefined, state: UsageState, isAdmin: boolean) {
  const translation = useTranslation();
  const display = useStatus();
  if (!usage) return undefined;
  const { t } = translation;
  const measures = columnsFor(isAdmin);
  const { columns } = state;
  const titles =
    columns === '' || usage.columns.length === 0
      ? measures.map((measure) => t(measureLabels[measure]))
      : [...usage.columns.map((column) => headingLabel(column, columns, translation)), t('Total')];
  const rows = tableRows(usage, state, measures);
  const save = () => {
    const nameOf = (heading: Usage['rows'][number]) => headingLabel(heading, state.rows, translation);
    exportUsage(
      sheetOf(rows, { corner: axisText(t, state.rows, state.tagKey), total: t('Total'), titles, nameOf }, display),
      usage,
    );
  };
  return { titles, rows, save, isEmpty: usage.total.requests === 0 };
}
