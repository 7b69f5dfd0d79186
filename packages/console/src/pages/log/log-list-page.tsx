import { isAdmin as isAdminUser, type Log, logCursorOf, logTypes, truncateName } from '@headgate/contract';
import { useTranslation } from '../../i18n/translate.ts';
import { useUser } from '../../lib/account/session.ts';
import { formatNumber, formatTime } from '../../lib/format/format.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { useList } from '../../lib/list/list.ts';
import { useIsPhone } from '../../lib/page/phone.ts';
import { ExportButton } from '../../ui/export/export-button.tsx';
import { ListExportProgress } from '../../ui/export/list-export.tsx';
import { ListPage } from '../../ui/list/list-page.tsx';
import { StatusDot } from '../../ui/status-dot.tsx';
import { Time } from '../../ui/time.tsx';
import { LogChips } from './log-chips.tsx';
import { useLogColumns } from './log-columns.tsx';
import { quotaDigits } from './log-detail.ts';
import { LogDetails } from './log-details.tsx';
import { LogDraftProvider } from './log-draft.tsx';
import { LogFilterBar } from './log-filter-bar.tsx';
import { useLogFilters } from './log-filter-state.ts';
import { hasFilters, noFilters } from './log-filters.ts';
import { orderLogs } from './log-order.ts';
import { exportLogs, logList, readLogs } from './log-queries.ts';
import { LogRanges } from './log-ranges.tsx';
import { LogTotal } from './log-total.tsx';

export function LogListPage() {
  const { t } = useTranslation();
  const isAdmin = isAdminUser(useUser());
  const control = useLogFilters();
  const isPhone = useIsPhone();
  const scope = { filters: control.filters, isAdmin };
  const list = useList<Log>({
    name: logList,
    read: (state, signal) => readLogs(scope, state, signal),
    dependencies: scope,
  });
  const { state, rows, change } = list;
  const card = useLogCard(isAdmin);
  return (
    <LogDraftProvider control={control}>
      <ListPage
        title={t('Usage details')}
        aside={
          <>
            <LogTotal scope={scope} />
            {!isPhone && <LogRanges control={control} />}
          </>
        }
        list={{
          ...list,
          rows: orderLogs(rows, state),
          // Sorting applies to the visible rows and does not change the page.
          change: (next) => change('sort' in next ? { p: state.p, ...next } : next),
        }}
        columns={useLogColumns(isAdmin)}
        // Rows are keyed by index: a page replaces all rows, and other servers send own logs without ids.
        rowKey={(_, index) => index}
        rowName={({ created_at }) => formatTime(created_at)}
        emptyText={t('No logs yet')}
        older={{
          label: t('Older logs'),
          show: () => {
            const last = rows.at(-1);
            if (last) control.apply({ ...control.filters, before: logCursorOf(last) });
          },
        }}
        customFilters={{ isNarrowed: hasFilters(control.filters), clear: () => control.apply(noFilters) }}
        card={card}
      >
        <LogFilterBar control={control} isAdmin={isAdmin}>
          <ExportButton
            list={logList}
            isEmpty={rows.length === 0}
            ask={(format, signal) => exportLogs(scope, format, signal)}
          />
        </LogFilterBar>
        <LogChips control={control} isAdmin={isAdmin} />
        <ListExportProgress list={logList} />
      </ListPage>
    </LogDraftProvider>
  );
}

function useLogCard(isAdmin: boolean) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  return (log: Log) => {
    const facts = [
      { name: t('User'), value: isAdmin ? <span title={log.username}>{truncateName(log.username)}</span> : '' },
      { name: t('Token'), value: log.token_name },
      {
        name: t('Tokens in → out'),
        value:
          log.prompt_tokens + log.completion_tokens === 0
            ? ''
            : `${formatNumber(log.prompt_tokens)} → ${formatNumber(log.completion_tokens)}`,
      },
      { name: t('Quota'), value: log.quota === 0 ? '' : format(log.quota, quotaDigits) },
      { name: t('Channel'), value: isAdmin && log.channel !== 0 ? String(log.channel) : '' },
    ].filter(({ value }) => value !== '');
    return {
      title: log.model_name || <Time seconds={log.created_at} />,
      status: <StatusDot status={log.type} statuses={logTypes} />,
      facts: [
        ...(log.model_name ? [{ name: t('Time'), value: <Time seconds={log.created_at} /> }] : []),
        ...facts,
        { name: t('Details'), value: <LogDetails log={log} isAdmin={isAdmin} />, isWide: true },
      ],
    };
  };
}
