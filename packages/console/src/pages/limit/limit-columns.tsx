import { type LimitRule, limitStatus, limitStatuses } from '@headgate/contract';
import { Text } from '@mantine/core';
import { useTranslation } from '../../i18n/translate.ts';
import { formatNumber } from '../../lib/format/format.ts';
import { useAllowanceText } from '../../ui/effective-limits/limit-labels.ts';
import type { Column } from '../../ui/list/column.ts';
import { StatusDot } from '../../ui/status-dot.tsx';
import { Time } from '../../ui/time.tsx';
import { isCounted } from './limit-form.ts';
import { LimitScope } from './limit-scope.tsx';

export const statusOf = ({ enabled }: LimitRule): number => (enabled ? limitStatus.enabled : limitStatus.disabled);

export function useLimitColumns(): readonly Column<LimitRule>[] {
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

/** Current usage where it is highest; red if exhausted. */
export function LimitUse({ rule }: { readonly rule: LimitRule }) {
  const { t } = useTranslation();
  if (!isCounted(rule.measure)) return <>—</>;
  const isFull = rule.used >= rule.amount;
  return (
    <Text span inherit {...(isFull && { c: 'var(--mantine-color-error)' })}>
      {t('{used} of {limit}', { used: formatNumber(rule.used), limit: formatNumber(rule.amount) })}
    </Text>
  );
}
