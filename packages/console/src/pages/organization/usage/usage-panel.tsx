import { type Organization, type OrganizationUsageAxis, organizationUsageAxes } from '@headgate/contract';
import { ActionIcon, NativeSelect, Skeleton, Stack, Title } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type TextKey, useTranslation } from '../../../i18n/translate.ts';
import { LoadFailed } from '../../../ui/load-failed.tsx';
import { TimeControls } from '../../../ui/usage/usage-controls.tsx';
import { UsageChips } from '../../../ui/usage/usage-filters.tsx';
import { measureLabels } from '../../../ui/usage/usage-labels.ts';
import { UsageLogLink } from '../../../ui/usage/usage-links.ts';
import { UsageReport, useUsageView } from '../../../ui/usage/usage-report.tsx';
import { measuresFor, type UsageState } from '../../../ui/usage/usage-state.ts';
import styles from '../organization.module.css';
import { organizationLink } from '../organization-address.ts';
import { hasPermission } from '../organization-queries.ts';
import { type OrganizationUsageReport, organizationUsageQuery } from './organization-usage-queries.ts';
import { type Scope, useScope } from './scope.ts';
import { ScopeSelect } from './scope-select.tsx';
import { canCombine, changeOf, scopeSearch, toUsageState, useReport } from './usage-state.ts';

interface UsagePanelProps {
  readonly organization: Organization;
}

const axisLabels: Readonly<Record<OrganizationUsageAxis, TextKey>> = {
  member: 'Member',
  project: 'Project',
  service_account: 'Service account',
  model: 'Model',
  token: 'Token',
  hour: 'Hour',
  day: 'Day',
  week: 'Week',
  month: 'Month',
};

/** Usage of an organization, with the chart and table of the usage page. */
export function UsagePanel({ organization }: UsagePanelProps) {
  const { t } = useTranslation();
  const { id } = organization;
  const seesOthers = hasPermission(organization, 'see_usage');
  const { scope, setScope } = useScope();
  const { report, change } = useReport(seesOthers ? 'member' : 'model');
  const { data: usage, error, refetch, isPlaceholderData } = useQuery(organizationUsageQuery(id, report, scope));
  const state = toUsageState(report);
  const view = useUsageView(usage, state, false);
  const changeState = (next: Partial<UsageState>) => change(changeOf(next));
  return (
    <Stack gap="sm">
      <div className={styles['toolbar']}>
        <Title order={1}>{seesOthers ? t('Usage') : t('Your usage')}</Title>
        <TimeControls state={state} change={changeState} />
        <ActionIcon
          variant="default"
          size={36}
          className={styles['push'] ?? ''}
          aria-label={t('Export CSV')}
          title={t('Export CSV')}
          disabled={!view || view.isEmpty || isPlaceholderData}
          onClick={view?.save}
        >
          <IconDownload size={18} stroke={1.6} aria-hidden />
        </ActionIcon>
      </div>
      <div className={styles['toolbar']}>
        <Axes report={report} scope={scope} change={change} seesOthers={seesOthers} />
        <ScopeSelect organization={organization} scope={scope} onChange={setScope} />
        <UsageChips state={state} isAdmin={false} change={changeState} />
      </div>
      {error && !isPlaceholderData && (
        <LoadFailed title={t('Usage could not be loaded')} error={error} onRetry={refetch} />
      )}
      {!usage && !error && <Skeleton height={420} />}
      {usage && view && !error && (
        <UsageLogLink value={({ tag, ...search }) => organizationLink(id, 'logs', logFilters(search, tag, scope))}>
          <UsageReport usage={usage} state={state} view={view} isAdmin={false} change={changeState} />
        </UsageLogLink>
      )}
    </Stack>
  );
}

/** Log filters for a number: those of its row and column, within the report's scope. */
const logFilters = (
  search: Readonly<Record<string, string | undefined>>,
  tag: string | undefined,
  scope: Scope | undefined,
) => ({ ...search, ...(scope && { [scope.kind]: scope.id }), ...(tag && scopeSearch(tag)) });

interface AxesProps {
  readonly report: OrganizationUsageReport;
  readonly scope: Scope | undefined;
  readonly seesOthers: boolean;
  readonly change: (change: Readonly<Record<string, string>>) => void;
}

/** Rows, columns and measure. Only combinations that the server can compute are offered. */
function Axes({ report, scope, seesOthers, change }: AxesProps) {
  const { t } = useTranslation();
  const { rows, columns, measure } = report;
  const others: readonly OrganizationUsageAxis[] = ['member', 'service_account'];
  const axes = organizationUsageAxes
    .filter((axis) => seesOthers || !others.includes(axis))
    .map((value) => ({ value, label: t(axisLabels[value]) }));
  return (
    <>
      <NativeSelect
        label={t('Rows')}
        value={rows}
        data={axes.filter(({ value }) => canCombine(value, '', scope))}
        onChange={({ currentTarget: { value } }) => change({ rows: value })}
      />
      <NativeSelect
        label={t('Columns')}
        value={columns}
        data={[{ value: '', label: t('All metrics') }, ...axes.filter(({ value }) => canCombine(rows, value, scope))]}
        onChange={({ currentTarget: { value } }) => change({ columns: value === '' ? 'none' : value })}
      />
      {columns !== '' && (
        <NativeSelect
          label={t('Metric')}
          value={measure}
          data={measuresFor(false).map((value) => ({ value, label: t(measureLabels[value]) }))}
          onChange={({ currentTarget: { value } }) => change({ measure: value })}
        />
      )}
    </>
  );
}
