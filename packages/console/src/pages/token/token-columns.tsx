import { neverExpires, type Token, tokenKeyPrefix } from '@headgate/contract';
import { Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { useQuotaColumnFormat } from '../../lib/format/quota-column.ts';
import type { Column } from '../../ui/list/column.ts';
import { SecretText } from '../../ui/secret-text.tsx';
import { Time } from '../../ui/time.tsx';
import { TokenStatus } from '../../ui/token-status.tsx';

/** Loaded after the list, because few tokens have it. */
export const PayloadLoggingBadge = lazy(async () => ({
  default: (await import('./payload-logging-badge.tsx')).PayloadLoggingBadge,
}));

export const TokenBudget = lazy(async () => ({ default: (await import('./token-budget.tsx')).TokenBudget }));

export function useTokenColumns(rows: readonly Token[]): readonly Column<Token>[] {
  const { t } = useTranslation();
  // Leaves more room for the names.
  const isExpiring = rows.some(({ expired_time }) => expired_time !== neverExpires);
  return [
    {
      id: 'name',
      title: t('Name'),
      sort: 'name',
      width: 120,
      grow: 3,
      cell: (token) => (
        <Text span fw={500} inherit>
          <Suspense>
            <PayloadLoggingBadge token={token} isShort />
          </Suspense>
          {token.name || t('None')}
        </Text>
      ),
    },
    {
      id: 'status',
      title: t('Status'),
      sort: 'status',
      width: 96,
      grow: 1,
      cell: (token) => <TokenStatus token={token} />,
    },
    {
      id: 'key',
      title: t('Key'),
      width: 136,
      grow: 1,
      cell: ({ key }) => (key === '' ? t('Shown after first use') : <SecretText text={tokenKeyPrefix + key} />),
    },
    ...useQuotaColumns(rows),
    {
      id: 'expired_time',
      title: t('Expires'),
      sort: 'expired_time',
      width: isExpiring ? 152 : 92,
      cell: ({ expired_time }) => (expired_time === neverExpires ? t('Never') : <Time seconds={expired_time} />),
    },
    {
      id: 'accessed_time',
      title: t('Last used'),
      width: 152,
      cell: ({ accessed_time }) => (accessed_time > 0 ? <Time seconds={accessed_time} /> : t('Never used')),
    },
    ...useExtraColumns(),
  ];
}

function useQuotaColumns(rows: readonly Token[]): readonly Column<Token>[] {
  const { t } = useTranslation();
  const formatColumn = useQuotaColumnFormat();
  const spent = formatColumn(rows.map(({ used_quota }) => used_quota));
  const remaining = formatColumn(rows.map((token) => (token.unlimited_quota ? 0 : token.remain_quota)));
  return [
    {
      id: 'used_quota',
      title: t('Used quota'),
      sort: 'used_quota',
      width: 100,
      isNumber: true,
      cell: ({ used_quota }) => spent(used_quota),
    },
    {
      id: 'remain_quota',
      title: t('Remaining quota'),
      sort: 'remain_quota',
      width: 132,
      isNumber: true,
      cell: (token) => (
        <>
          {token.unlimited_quota ? t('Unlimited') : remaining(token.remain_quota)}
          <Suspense>
            <TokenBudget token={token} isShort />
          </Suspense>
        </>
      ),
    },
  ];
}

/** Columns for wide screens. */
function useExtraColumns(): readonly Column<Token>[] {
  const { t } = useTranslation();
  return [
    {
      id: 'created_time',
      title: t('Created'),
      sort: 'created_time',
      isExtra: true,
      width: 152,
      cell: ({ created_time }) => <Time seconds={created_time} />,
    },
    {
      id: 'note',
      title: t('Note'),
      isExtra: true,
      width: 160,
      grow: 3,
      cell: ({ note }) => note,
    },
    {
      id: 'models',
      title: t('Models'),
      isExtra: true,
      width: 160,
      grow: 3,
      cell: ({ models }) => models?.replaceAll(',', ', ') || t('All'),
    },
  ];
}
