import { type Log, logType, logTypes, type Organization, organizationUsageApi } from '@headgate/contract';
import { Pill } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { type TextKey, useTranslation } from '../../../i18n/translate.ts';
import { callFile, callList } from '../../../lib/api/call.ts';
import { exportParameters } from '../../../lib/api/export-call.ts';
import { formatNumber, formatTime } from '../../../lib/format/format.ts';
import { useQuotaFormat } from '../../../lib/format/quota.ts';
import { useList } from '../../../lib/list/list.ts';
import { queryChange } from '../../../lib/page/address.ts';
import { ExportButton } from '../../../ui/export/export-button.tsx';
import { ListExportProgress } from '../../../ui/export/list-export.tsx';
import type { Card } from '../../../ui/list/column.ts';
import { ListPage } from '../../../ui/list/list-page.tsx';
import logStyles from '../../log/log.module.css';
import { LogStatus, LogTime, useLogColumns } from '../../log/log-columns.tsx';
import { quotaDigits } from '../../log/log-detail.ts';
import { LogDetails, type OpenLog } from '../../log/log-details.tsx';
import { loadDrawer, useOpenedLog } from '../../log/opened-log.ts';
import styles from '../organization.module.css';
import { scopeParameters, useScope } from './scope.ts';
import { ScopeSelect } from './scope-select.tsx';

const LogDrawer = lazy(async () => ({ default: (await loadDrawer()).LogDrawer }));

const list = 'organization-logs';

/** Filters in the URL, set by links of the usage page. */
const filterLabels = {
  model_name: 'Model',
  token_name: 'Token',
  start: 'From',
  end: 'Until',
  type: 'Type',
} as const satisfies Readonly<Record<string, TextKey>>;
type FilterName = keyof typeof filterLabels;
const filterNames = Object.keys(filterLabels) as FilterName[];

type Filters = Readonly<Partial<Record<FilterName, string>>>;

/** Requests and audit events of an organization. Members see their own requests. */
export function LogsPanel({ organization }: { readonly organization: Organization }) {
  const { t } = useTranslation();
  const { scope, setScope } = useScope();
  const { filters, clear } = useFilters();
  const query = { ...parametersOf(filters), ...scopeParameters(scope) };
  const params = { id: organization.id };
  const logs = useList<Log>({
    name: list,
    dependencies: { id: organization.id, query },
    read: ({ p, size }, signal) =>
      callList(organizationUsageApi.logs, { params, query: { p, size, ...query } }, { signal }),
  });
  const opened = useOpenedLog(logs.rows);
  const { openLog } = opened;
  return (
    <>
      <ListPage
        title={t('Logs')}
        list={{ ...logs, change: ({ sort: _sort, ...next }) => logs.change(next) }}
        columns={useColumns(logs.rows, openLog)}
        rowKey={(_, index) => index}
        rowName={({ created_at }) => formatTime(created_at)}
        onOpen={(log) => openLog.open(openLog.keyOf(log))}
        emptyText={t('No logs yet')}
        customFilters={{ isNarrowed: filterNames.some((name) => filters[name]) || scope !== undefined, clear }}
        card={useCard(openLog)}
      >
        <div className={styles['filters']}>
          <ScopeSelect organization={organization} scope={scope} onChange={setScope} />
          <FilterPills filters={filters} />
          <div className={styles['push']}>
            <ExportButton
              list={list}
              isEmpty={logs.rows.length === 0}
              ask={(format, signal) =>
                callFile(
                  organizationUsageApi.exportLogs,
                  { params, query: { ...exportParameters(format), ...query } },
                  { signal },
                )
              }
            />
          </div>
        </div>
        <ListExportProgress list={list} />
      </ListPage>
      {opened.key !== '' && (
        <Suspense>
          <LogDrawer
            opened={opened.key}
            rows={logs.rows}
            keyOf={openLog.keyOf}
            isAdmin={false}
            onOpen={openLog.open}
            onClose={opened.close}
          />
        </Suspense>
      )}
    </>
  );
}

/** The server sorts by time only. */
const useColumns = (rows: readonly Log[], openLog: OpenLog) =>
  useLogColumns({ isAdmin: false, openLog, rows, areEvents: false }).map(({ sort: _sort, ...column }) => column);

function useFilters() {
  const navigate = useNavigate();
  const filters = useSearch({ strict: false }) as Filters;
  const none = Object.fromEntries([...filterNames, 'member', 'project', 'account'].map((name) => [name, undefined]));
  const clear = () => void navigate({ to: '.', search: queryChange((before) => ({ ...before, ...none })) });
  return { filters, clear };
}

const parametersOf = ({ model_name = '', token_name = '', start, end, type }: Filters) => ({
  model_name,
  token_name,
  start_timestamp: Number(start) || 0,
  end_timestamp: Number(end) || 0,
  type: Number(type) || logType.all,
});

function FilterPills({ filters }: { readonly filters: Filters }) {
  const { t, label } = useTranslation();
  const navigate = useNavigate();
  const remove = (name: FilterName) =>
    void navigate({ to: '.', search: queryChange((before) => ({ ...before, [name]: undefined })) });
  const textOf = (name: FilterName, value: string) => {
    if (name === 'type') return label(logTypes[Number(value)]?.label ?? value);
    return name === 'start' || name === 'end' ? formatTime(Number(value)) : value;
  };
  const set = filterNames.filter((name) => filters[name]);
  return set.map((name) => (
    <Pill
      key={name}
      size="md"
      withRemoveButton
      onRemove={() => remove(name)}
      removeButtonProps={{
        'aria-label': t('Remove filter {name}', { name: t(filterLabels[name]) }),
        tabIndex: 0,
        'aria-hidden': false,
      }}
    >
      {t(filterLabels[name])}: {textOf(name, filters[name] ?? '')}
    </Pill>
  ));
}

function useCard(openLog: OpenLog) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  return (log: Log): Card => {
    const tokens = log.prompt_tokens + log.completion_tokens;
    const parts = [
      log.quota !== 0 && log.type !== logType.topUp && format(log.quota, quotaDigits),
      log.token_name,
      tokens > 0 && `${formatNumber(log.prompt_tokens)} → ${formatNumber(log.completion_tokens)}`,
    ].filter((part) => typeof part === 'string' && part !== '');
    return {
      title: log.model_name || t('Log'),
      status: <LogStatus log={log} />,
      facts: [],
      lines: (
        <>
          <div className={logStyles['cardLine']}>
            <LogTime seconds={log.created_at} />
            {['', ...parts].join(' · ')}
          </div>
          <LogDetails log={log} isAdmin={false} openLog={openLog} />
        </>
      ),
    };
  };
}
