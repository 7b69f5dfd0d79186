import { isCountedMeasure, type LimitRule, limitMeasures, limitStatus, limitStatuses } from '@headgate/contract';
import { Text } from '@mantine/core';
import { IconPencil, IconPlayerPlay, IconPlayerStop, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/translate.ts';
import { formatNumber } from '../../lib/format/format.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { useList, useListCache } from '../../lib/list/list.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { openConfirmation } from '../../ui/confirm.tsx';
import { scopeText, useAllowanceText } from '../../ui/effective-limits/limit-labels.ts';
import type { Column, RowAction } from '../../ui/list/column.ts';
import { ListPage } from '../../ui/list/list-page.tsx';
import { StatusDot } from '../../ui/status-dot.tsx';
import { Time } from '../../ui/time.tsx';
import { limitList, readLimits, removeLimit, setLimitEnabled } from './limit-queries.ts';
import { LimitScope } from './limit-scope.tsx';

const statusOf = ({ enabled }: LimitRule): number => (enabled ? limitStatus.enabled : limitStatus.disabled);

function useLimitColumns(): readonly Column<LimitRule>[] {
  const { t } = useTranslation();
  const allowanceText = useAllowanceText();
  return [
    { id: 'id', title: t('ID'), isNumber: true, width: 56, cell: ({ id }) => id },
    {
      id: 'scope',
      title: t('Applies to'),
      width: 220,
      grow: 6,
      isName: true,
      cell: (rule) => <LimitScope rule={rule} />,
    },
    { id: 'allowed', title: t('Limit'), width: 200, grow: 2, cell: allowanceText },
    {
      id: 'used',
      title: t('Current usage'),
      width: 120,
      isNumber: true,
      cell: (rule) => <LimitUse rule={rule} />,
    },
    {
      id: 'status',
      title: t('Status'),
      width: 100,
      cell: (rule) => <StatusDot status={statusOf(rule)} statuses={limitStatuses} />,
    },
    {
      id: 'note',
      title: t('Note'),
      width: 96,
      grow: 1,
      isBlank: ({ note }) => note === '',
      cell: ({ note }) => note,
    },
    {
      id: 'created_time',
      title: t('Created'),
      width: 144,
      isExtra: true,
      cell: ({ created_time }) => <Time seconds={created_time} />,
    },
  ];
}

/** Current usage, shown for the highest user or token; red if exhausted. */
function LimitUse({ rule }: { readonly rule: LimitRule }) {
  const { t } = useTranslation();
  const quota = useQuotaFormat();
  if (!isCountedMeasure(rule.measure)) return <>—</>;
  const format = limitMeasures[rule.measure].counts === 'points' ? quota : formatNumber;
  const isFull = rule.used >= rule.amount;
  return (
    <Text span inherit {...(isFull && { c: 'var(--mantine-color-error)' })}>
      {t('{used} of {limit}', { used: format(rule.used), limit: format(rule.amount) })}
    </Text>
  );
}

/** Request limits, each described in one sentence. */
export function LimitListPage() {
  const { t } = useTranslation();
  const list = useList<LimitRule>({ name: limitList, read: readLimits });
  const actions = useLimitActions();
  const columns = useLimitColumns();
  const allowanceText = useAllowanceText();
  return (
    <ListPage
      title={t('Limits')}
      list={list}
      managed="limit"
      columns={columns}
      rowKey={({ id }) => id}
      rowName={(rule) => `${scopeText(t, rule)} #${rule.id}`}
      actions={actions}
      statuses={limitStatuses}
      searchLabel={t('Search limits')}
      add={{ label: t('Add limit'), to: '/limit/add' }}
      emptyText={t('No limits yet. Requests are limited only by channel capacity.')}
      card={(rule) => ({
        title: <LimitScope rule={rule} />,
        status: <StatusDot status={statusOf(rule)} statuses={limitStatuses} />,
        facts: [
          { name: t('Limit'), value: allowanceText(rule), isWide: true, isPlain: true },
          ...(isCountedMeasure(rule.measure) ? [{ name: t('Current usage'), value: <LimitUse rule={rule} /> }] : []),
          ...(rule.note === '' ? [] : [{ name: t('Note'), value: rule.note, isPlain: true }]),
        ],
      })}
    >
      {list.rows.some((rule) => statusOf(rule) === limitStatus.enabled) && (
        <Text size="sm" c="dimmed" mb="xs">
          {t('When several limits apply, the strictest wins. Requests over a limit are rejected with 429.')}
        </Text>
      )}
    </ListPage>
  );
}

/** Row actions of a limit. */
function useLimitActions() {
  const { t } = useTranslation();
  const toggle = useToggle();
  const remove = useRemove();
  const allowanceText = useAllowanceText();
  return (rule: LimitRule): readonly RowAction[] => [
    { label: t('Edit'), icon: IconPencil, to: `/limit/edit/${rule.id}`, isPrimary: true, ifManaged: 'reads' },
    {
      label: rule.enabled ? t('Disable') : t('Enable'),
      icon: rule.enabled ? IconPlayerStop : IconPlayerPlay,
      ifManaged: 'refused',
      onClick: () => toggle.mutate(rule),
    },
    {
      label: t('Delete'),
      icon: IconTrash,
      isDanger: true,
      ifManaged: 'refused',
      onClick: () =>
        openConfirmation({
          title: t('Delete this limit?'),
          text: `${scopeText(t, rule)}: ${allowanceText(rule)}. ${t('This cannot be undone.')}`,
          confirm: t('Delete limit'),
          onConfirm: () => remove.mutate(rule),
        }),
    },
  ];
}

/** Optimistic; reverted with the reason if the server rejects it. */
function useToggle() {
  const { t } = useTranslation();
  const cache = useListCache<LimitRule>(limitList);
  return useMutation({
    mutationFn: ({ id, enabled }: LimitRule) => setLimitEnabled(id, !enabled),
    onMutate: ({ id, enabled }) => cache.patch(id, { enabled: !enabled }),
    onSuccess: () => showMessage('success', t('Operation completed successfully')),
    onError: (_, { id, enabled }) => cache.patch(id, { enabled }),
    onSettled: cache.refresh,
  });
}

function useRemove() {
  const { t } = useTranslation();
  const cache = useListCache<LimitRule>(limitList);
  return useMutation({
    mutationFn: ({ id }: LimitRule) => removeLimit(id),
    onSuccess: (_, { id }) => {
      cache.remove(id);
      showMessage('success', t('Operation completed successfully'));
    },
    onSettled: cache.refresh,
  });
}
