import { isAdmin as isAdminUser, type Log, logCursorOf, logType, truncateName } from '@headgate/contract';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { useUser } from '../../lib/account/session.ts';
import { formatNumber, formatTime } from '../../lib/format/format.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { useList } from '../../lib/list/list.ts';
import { useIsPhone } from '../../lib/page/phone.ts';
import { useStatus } from '../../lib/page/status.ts';
import { ExportButton } from '../../ui/export/export-button.tsx';
import { ListExportProgress } from '../../ui/export/list-export.tsx';
import { ListPage } from '../../ui/list/list-page.tsx';
import styles from './log.module.css';
import { LogChips } from './log-chips.tsx';
import { LogStatus, LogTime, useLogColumns } from './log-columns.tsx';
import { costDecimals } from './log-detail.ts';
import { LogDetails, type OpenLog } from './log-details.tsx';
import { LogDraftProvider } from './log-draft.tsx';
import { LogFilterBar } from './log-filter-bar.tsx';
import { type LogFilterControl, useLogFilters } from './log-filter-state.ts';
import { filtersForView, hasFilters, noFilters, viewOf } from './log-filters.ts';
import { useLiveLogs } from './log-live.ts';
import { orderLogs } from './log-order.ts';
import { exportLogs, type LogScope, logList, readLogs } from './log-queries.ts';
import { LiveButton, LogTabs } from './log-tabs.tsx';
import { LogTotal } from './log-total.tsx';
import { loadDrawer, useOpenedLog } from './opened-log.ts';

// Loaded after the rows, and with the first opened log.
const LogOverview = lazy(async () => ({ default: (await import('./log-overview.tsx')).LogOverview }));
const LogDrawer = lazy(async () => ({ default: (await loadDrawer()).LogDrawer }));

export function LogListPage() {
  const { t } = useTranslation();
  const { extensions } = useStatus();
  const isAdmin = isAdminUser(useUser());
  const control = useLogFilters();
  const { filters, apply } = control;
  const { list, rows, scope, live, isRequests } = useLogs(control, isAdmin);
  const { state, change } = list;
  const opened = useOpenedLog(rows);
  const { openLog } = opened;
  const card = useLogCard(isAdmin, openLog);
  const isPhone = useIsPhone();
  const total = (isRequests || !extensions) && <LogTotal scope={scope} />;
  useRefreshedTimes();
  return (
    <LogDraftProvider control={control}>
      <ListPage
        title={t('Usage details')}
        aside={
          <>
            {extensions && <LogTabs view={viewOf(filters)} onChoose={(next) => apply(filtersForView(filters, next))} />}
            {!isPhone && total}
          </>
        }
        list={{
          ...list,
          rows,
          // Sorting applies to the visible rows and does not change the page.
          change: (next) => change('sort' in next ? { p: state.p, ...next } : next),
        }}
        columns={useLogColumns({ isAdmin, openLog, rows, areEvents: extensions && !isRequests })}
        // Rows are keyed by index: loading a page replaces all rows, and other servers send own logs without ids.
        rowKey={(_, index) => index}
        rowName={({ created_at }) => formatTime(created_at)}
        onOpen={(log) => openLog.open(openLog.keyOf(log))}
        emptyText={t('No logs yet')}
        older={{
          label: t('Older logs'),
          show: () => {
            const last = list.rows.at(-1);
            if (last) apply({ ...filters, before: logCursorOf(last) });
          },
        }}
        customFilters={{ isNarrowed: hasFilters(filters), clear: () => apply({ ...noFilters, view: filters.view }) }}
        card={card}
      >
        <LogFilterBar control={control} isAdmin={isAdmin} live={live}>
          {isPhone && total}
          <ExportButton
            list={logList}
            isEmpty={rows.length === 0}
            ask={(format, signal) => exportLogs(scope, format, signal)}
          />
        </LogFilterBar>
        <LogChips control={control} isAdmin={isAdmin} />
        {isRequests && (
          <Suspense fallback={<div className={styles['overviewPlace']} />}>
            <LogOverview control={control} scope={scope} />
          </Suspense>
        )}
        <ListExportProgress list={logList} />
      </ListPage>
      {opened.key !== '' && (
        <Suspense>
          <LogDrawer
            opened={opened.key}
            rows={rows}
            keyOf={openLog.keyOf}
            isAdmin={isAdmin}
            onOpen={openLog.open}
            onClose={opened.close}
          />
        </Suspense>
      )}
    </LogDraftProvider>
  );
}

/** The logs of the current filters, and new ones while the list is live. */
function useLogs({ filters }: LogFilterControl, isAdmin: boolean) {
  const { extensions } = useStatus();
  const view = viewOf(filters);
  const isRequests = extensions && view === 'requests';
  // Servers without the extensions have a single list of all logs.
  const scope: LogScope = { filters: { ...filters, view: extensions ? view : '' }, isAdmin };
  const list = useList<Log>({
    name: logList,
    read: (state, signal) => readLogs(scope, state, signal),
    dependencies: scope,
  });
  const [isLive, setLive] = useState(false);
  const isNewest = list.state.p === 0 && filters.before === '' && filters.end === undefined;
  const newer = useLiveLogs(scope, list.rows, isLive && isNewest && !list.isLoading);
  return {
    list,
    rows: orderLogs(isNewest ? [...newer, ...list.rows] : list.rows, list.state),
    scope,
    isRequests,
    live: isRequests && isNewest && <LiveButton isLive={isLive} onToggle={() => setLive(!isLive)} />,
  };
}

const refreshMs = 30_000;

/** Rerenders twice a minute, because times are relative. */
function useRefreshedTimes(): void {
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((tick) => tick + 1), refreshMs);
    return () => clearInterval(timer);
  }, []);
}

function useLogCard(isAdmin: boolean, openLog: OpenLog) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  return (log: Log) => {
    const parts = [
      log.quota !== 0 && log.type !== logType.topUp && format(log.quota, costDecimals),
      isAdmin && truncateName(log.username),
      log.token_name,
      isAdmin && log.channel !== 0 && (log.channel_name || `#${log.channel}`),
      log.prompt_tokens + log.completion_tokens > 0 &&
        `${formatNumber(log.prompt_tokens)} → ${formatNumber(log.completion_tokens)}`,
    ].filter((part) => typeof part === 'string' && part !== '');
    return {
      title: log.model_name || t('Log'),
      status: <LogStatus log={log} />,
      facts: [],
      lines: (
        <>
          <div className={styles['cardLine']} title={parts.join(' · ')}>
            <LogTime seconds={log.created_at} />
            {['', ...parts].join(' · ')}
          </div>
          <LogDetails log={log} isAdmin={isAdmin} openLog={openLog} />
        </>
      ),
    };
  };
}
