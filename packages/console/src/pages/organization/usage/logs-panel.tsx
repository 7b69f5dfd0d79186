import { type Log, logReasons, logType, logTypes, type Organization, organizationUsageApi } from '@headgate/contract';
import { Pill } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type TextKey, useTranslation } from '../../../i18n/translate.ts';
import { callFile, callList } from '../../../lib/api/call.ts';
import { exportParameters } from '../../../lib/api/export-call.ts';
import { formatNumber, formatTime } from '../../../lib/format/format.ts';
import { useQuotaFormat } from '../../../lib/format/quota.ts';
import { useList } from '../../../lib/list/list.ts';
import { updateQuery } from '../../../lib/page/address.ts';
import { ListExport, ListExportProgress } from '../../../ui/export/list-export.tsx';
import type { Card, Column } from '../../../ui/list/column.ts';
import { ListPage } from '../../../ui/list/list-page.tsx';
import { useCreditDescription } from '../../../ui/statement/credit-description.ts';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import styles from '../organization.module.css';
import { scopeKinds, scopeParameters, useScope } from './scope.ts';
import { ScopeSelect } from './scope-select.tsx';

const listName = 'organization-logs';

/** Decimals of an amount in dollars, because requests cost little. */
const costDecimals = 6;

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
  const list = useList<Log>({
    name: listName,
    dependencies: { id: organization.id, query },
    read: ({ p, size }, signal) =>
      callList(organizationUsageApi.logs, { params, query: { p, size, ...query } }, { signal }),
  });
  return (
    <ListPage
      title={t('Logs')}
      list={list}
      columns={useColumns()}
      rowKey={(_, index) => index}
      rowName={({ created_at }) => formatTime(created_at)}
      emptyText={t('No logs yet')}
      customFilters={{ isNarrowed: filterNames.some((name) => filters[name]) || scope !== undefined, clear }}
      card={useCard()}
    >
      <div className={styles['filters']}>
        <ScopeSelect organization={organization} scope={scope} onChange={setScope} />
        <FilterPills filters={filters} />
        <div className={styles['push']}>
          <ListExport
            list={listName}
            isEmpty={list.rows.length === 0}
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
      <ListExportProgress list={listName} />
    </ListPage>
  );
}

const isCharged = ({ quota, type }: Log): boolean => quota !== 0 && type !== logType.topUp;

function useColumns(): readonly Column<Log>[] {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const sentence = useSentence();
  const blankIfZero = (value: number) => (value === 0 ? '' : formatNumber(value));
  return [
    { id: 'time', title: t('Time'), width: 152, cell: ({ created_at }) => <Time seconds={created_at} /> },
    { id: 'type', title: t('Type'), width: 116, cell: ({ type }) => <StatusDot status={type} statuses={logTypes} /> },
    {
      id: 'token',
      title: t('Token'),
      width: 110,
      grow: 1,
      isBlank: ({ token_name }) => token_name === '',
      cell: ({ token_name }) => token_name,
    },
    {
      id: 'model',
      title: t('Model'),
      width: 130,
      grow: 1,
      isBlank: ({ model_name }) => model_name === '',
      cell: ({ model_name }) => model_name,
    },
    {
      id: 'prompt_tokens',
      title: t('Prompt'),
      isNumber: true,
      width: 70,
      isBlank: ({ prompt_tokens }) => prompt_tokens === 0,
      cell: ({ prompt_tokens }) => blankIfZero(prompt_tokens),
    },
    {
      id: 'completion_tokens',
      title: t('Completion'),
      isNumber: true,
      width: 96,
      isBlank: ({ completion_tokens }) => completion_tokens === 0,
      cell: ({ completion_tokens }) => blankIfZero(completion_tokens),
    },
    {
      id: 'quota',
      title: t('Quota'),
      isNumber: true,
      width: 96,
      isBlank: (log) => !isCharged(log),
      cell: (log) => (isCharged(log) ? format(log.quota, costDecimals) : ''),
    },
    { id: 'details', title: t('Details'), width: 160, grow: 4, usesEmptyCells: true, cell: sentence },
  ];
}

/** Event or failure of a log; empty for a charged request, which the numbers describe. */
function useSentence(): (log: Log) => string {
  const { label } = useTranslation();
  const describe = useCreditDescription();
  return ({ type, created_at, content, detail, reason }) => {
    if (type === logType.consumption) return '';
    if (reason) return [label(logReasons[reason].label), content].filter(Boolean).join(' · ');
    return describe({ time: created_at, content, detail, amount: null });
  };
}

function useFilters() {
  const navigate = useNavigate();
  const filters = useSearch({ strict: false }) as Filters;
  const none = Object.fromEntries([...filterNames, ...scopeKinds].map((name) => [name, undefined]));
  const clear = () => void navigate({ to: '.', search: updateQuery((before) => ({ ...before, ...none })) });
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
    void navigate({ to: '.', search: updateQuery((before) => ({ ...before, [name]: undefined })) });
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

function useCard() {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const sentence = useSentence();
  return (log: Log): Card => {
    const tokens = log.prompt_tokens + log.completion_tokens;
    const facts = [
      { name: t('Time'), value: <Time seconds={log.created_at} /> },
      ...(log.token_name === '' ? [] : [{ name: t('Token'), value: log.token_name }]),
      ...(isCharged(log) ? [{ name: t('Quota'), value: format(log.quota, costDecimals) }] : []),
      ...(tokens > 0
        ? [
            {
              name: t('Prompt tokens'),
              value: `${formatNumber(log.prompt_tokens)} → ${formatNumber(log.completion_tokens)}`,
            },
          ]
        : []),
      ...(sentence(log) === '' ? [] : [{ name: t('Details'), value: sentence(log), isWide: true }]),
    ];
    return {
      title: log.model_name || t('Log'),
      status: <StatusDot status={log.type} statuses={logTypes} />,
      facts,
    };
  };
}
