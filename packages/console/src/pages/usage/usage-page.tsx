import { isAdmin as isAdminUser, type Usage } from '@headgate/contract';
import { ActionIcon, Button, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconCoins, IconDownload, IconReceipt } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { useUser } from '../../lib/account/session.ts';
import { formatTime } from '../../lib/format/format.ts';
import { useIsPhone } from '../../lib/page/phone.ts';
import { useStatus } from '../../lib/page/status.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadFailed } from '../../ui/load-failed.tsx';
import { CollapsibleControls } from './collapsible-controls.tsx';
import styles from './usage.module.css';
import { AxisControls, TimeControls } from './usage-controls.tsx';
import { exportUsage } from './usage-export.ts';
import { UsageChips, UsageFilterField } from './usage-filters.tsx';
import { axisText, headingText, measureLabels } from './usage-labels.ts';
import { usageQuery } from './usage-queries.ts';
import { sheetOf, tableRows } from './usage-sheet.ts';
import { columnsFor, profitState, type UsageState, useUsageState } from './usage-state.ts';
import { UsageTable } from './usage-table.tsx';

/** Charts are large, so they are loaded after the table. */
const UsageChart = lazy(async () => ({ default: (await import('./usage-chart.tsx')).UsageChart }));

export function UsagePage() {
  const { t } = useTranslation();
  const isAdmin = isAdminUser(useUser());
  const { state, change } = useUsageState(isAdmin);
  const { data: usage, error, refetch, isPlaceholderData } = useQuery(usageQuery(state, isAdmin));
  const view = useView(usage, state, isAdmin);
  const isPhone = useIsPhone();
  return (
    <Stack gap="sm">
      <div className={styles['bar']}>
        <Title order={1}>{t('Usage')}</Title>
        <TimeControls state={state} change={change} />
        {isAdmin && (
          <Button
            variant="default"
            className={styles['push'] ?? ''}
            leftSection={<IconCoins size={16} aria-hidden />}
            onClick={() => change(profitState)}
          >
            {t('Profit by channel')}
          </Button>
        )}
        <Button
          component={Link}
          to="/statement"
          variant="default"
          className={isAdmin ? '' : (styles['push'] ?? '')}
          leftSection={<IconReceipt size={16} aria-hidden />}
        >
          {t('Statement')}
        </Button>
        <ActionIcon
          variant="default"
          size={36}
          aria-label={t('Export CSV')}
          title={t('Export CSV')}
          disabled={!view || view.isEmpty || isPlaceholderData}
          onClick={view?.save}
        >
          <IconDownload size={18} stroke={1.6} aria-hidden />
        </ActionIcon>
      </div>
      <CollapsibleControls state={state}>
        <AxisControls state={state} isAdmin={isAdmin} change={change} />
        {isPhone && <UsageFilterField state={state} isAdmin={isAdmin} change={change} />}
      </CollapsibleControls>
      <div className={styles['filters']}>
        <UsageChips state={state} isAdmin={isAdmin} change={change} />
        {!isPhone && <UsageFilterField state={state} isAdmin={isAdmin} change={change} />}
      </div>
      {error && !isPlaceholderData && (
        <LoadFailed title={t('Usage could not be loaded')} error={error} onRetry={refetch} />
      )}
      {!usage && !error && <Skeleton height={420} />}
      {usage &&
        view &&
        !error &&
        (view.isEmpty ? (
          <Empty usage={usage} />
        ) : (
          <Shown usage={usage} state={state} view={view} change={change} isAdmin={isAdmin} />
        ))}
    </Stack>
  );
}

type View = NonNullable<ReturnType<typeof useView>>;

interface ShownProps {
  readonly usage: Usage;
  readonly state: UsageState;
  readonly view: View;
  readonly isAdmin: boolean;
  change(change: Partial<UsageState>): void;
}

function Shown({ usage, state, view, isAdmin, change }: ShownProps) {
  const { t } = useTranslation();
  return (
    <>
      <Paper withBorder p="md" aria-hidden className={styles['chart'] ?? ''}>
        <Suspense fallback={<Skeleton height={280} />}>
          <UsageChart usage={usage} state={state} />
        </Suspense>
      </Paper>
      <UsageTable usage={usage} state={state} isAdmin={isAdmin} change={change} rows={view.rows} titles={view.titles} />
      {usage.total.uncosted_quota > 0 && (
        <Text size="xs" c="dimmed">
          {t(
            'Requests with unknown cost are not included in margins. Set a price or a channel purchase price to include them.',
          )}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {t('{from} to {to}, in full hours.', { from: formatTime(usage.from), to: formatTime(usage.to) })}{' '}
        {usage.is_rounded && t('Usage is aggregated hourly. In your time zone, days start up to 30 minutes off.')}
      </Text>
    </>
  );
}

/** States that there was no usage, or that none was recorded. */
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
function useView(usage: Usage | undefined, state: UsageState, isAdmin: boolean) {
  const translation = useTranslation();
  const display = useStatus();
  if (!usage) return undefined;
  const { t } = translation;
  const measures = columnsFor(isAdmin);
  const { columns } = state;
  const titles =
    columns === '' || usage.columns.length === 0
      ? measures.map((measure) => t(measureLabels[measure]))
      : [...usage.columns.map((column) => headingText(column, columns, translation)), t('Total')];
  const rows = tableRows(usage, state, measures);
  const save = () => {
    const nameOf = (heading: Usage['rows'][number]) => headingText(heading, state.rows, translation);
    exportUsage(
      sheetOf(rows, { corner: axisText(t, state.rows, state.tagKey), total: t('Total'), titles, nameOf }, display),
      usage,
    );
  };
  return { titles, rows, save, isEmpty: usage.total.requests === 0 };
}
