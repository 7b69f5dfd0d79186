import { isAdmin as isAdminUser } from '@headgate/contract';
import { ActionIcon, Button, Skeleton, Stack, Title } from '@mantine/core';
import { IconCoins, IconDownload, IconReceipt } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/translate.ts';
import { useUser } from '../../lib/account/session.ts';
import { useIsPhone } from '../../lib/page/phone.ts';
import { LoadFailed } from '../../ui/load-failed.tsx';
import styles from '../../ui/usage/usage.module.css';
import { AxisControls, TimeControls } from '../../ui/usage/usage-controls.tsx';
import { UsageChips, UsageFilterButton, UsageFilterField } from '../../ui/usage/usage-filters.tsx';
import { usageQuery } from '../../ui/usage/usage-queries.ts';
import { UsageReport, useUsageView } from '../../ui/usage/usage-report.tsx';
import { profitState, useUsageState } from '../../ui/usage/usage-state.ts';
import { CollapsibleControls } from './collapsible-controls.tsx';

export function UsagePage() {
  const { t } = useTranslation();
  const isAdmin = isAdminUser(useUser());
  const { state, change } = useUsageState(isAdmin);
  const { data: usage, error, refetch, isPlaceholderData } = useQuery(usageQuery(state, isAdmin));
  const view = useUsageView(usage, state, isAdmin);
  const isPhone = useIsPhone();
  return (
    <Stack gap="sm">
      <div className={styles['bar']}>
        <Title order={1}>{t('Usage')}</Title>
        <TimeControls state={state} change={change} />
        <ReportLinks isAdmin={isAdmin} size={isPhone ? 'xs' : 'sm'} onProfit={() => change(profitState)} />
        <ActionIcon
          variant="default"
          size={isPhone ? 30 : 36}
          aria-label={t('Export CSV')}
          title={t('Export CSV')}
          disabled={!view || view.isEmpty || isPlaceholderData}
          onClick={view?.save}
        >
          <IconDownload size={18} stroke={1.6} aria-hidden />
        </ActionIcon>
      </div>
      <CollapsibleControls state={state}>
        <AxisControls state={state} isAdmin={isAdmin} change={change}>
          {!isPhone && <UsageFilterButton state={state} isAdmin={isAdmin} change={change} />}
        </AxisControls>
        {isPhone && <UsageFilterField state={state} isAdmin={isAdmin} change={change} />}
      </CollapsibleControls>
      <div className={styles['filters']}>
        <UsageChips state={state} isAdmin={isAdmin} change={change} />
      </div>
      {error && !isPlaceholderData && (
        <LoadFailed title={t('Usage could not be loaded')} error={error} onRetry={refetch} />
      )}
      {!usage && !error && <Skeleton height={420} />}
      {usage && view && !error && (
        <UsageReport usage={usage} state={state} view={view} change={change} isAdmin={isAdmin} />
      )}
    </Stack>
  );
}

interface ReportLinksProps {
  readonly isAdmin: boolean;
  readonly size: 'xs' | 'sm';
  readonly onProfit: () => void;
}

function ReportLinks({ isAdmin, size, onProfit }: ReportLinksProps) {
  const { t } = useTranslation();
  return (
    <>
      {isAdmin && (
        <Button
          variant="default"
          size={size}
          className={styles['push'] ?? ''}
          leftSection={<IconCoins size={16} aria-hidden />}
          onClick={onProfit}
        >
          {t('Profit by channel')}
        </Button>
      )}
      <Button
        component={Link}
        to="/statement"
        variant="default"
        size={size}
        className={isAdmin ? '' : (styles['push'] ?? '')}
        leftSection={<IconReceipt size={16} aria-hidden />}
      >
        {t('Statement')}
      </Button>
    </>
  );
}
