import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/translate.ts';
import { useQuotaColumnFormat } from '../lib/format/quota-column.ts';
import { GroupLabels } from './group-labels.tsx';
import type { Column } from './list/column.ts';

interface Account {
  readonly id: number;
  readonly group: string;
  readonly quota: number;
  readonly used_quota: number;
}

interface AccountColumnOptions<Row> {
  readonly rows: readonly Row[];
  readonly nameTitle: string;
  readonly nameOf: (row: Row) => ReactNode;
}

/** Columns that the lists of users and organizations share. */
export function useAccountColumns<Row extends Account>({ rows, nameTitle, nameOf }: AccountColumnOptions<Row>) {
  const { t } = useTranslation();
  const formatColumn = useQuotaColumnFormat();
  const remaining = formatColumn(rows.map(({ quota }) => quota));
  const spent = formatColumn(rows.map(({ used_quota }) => used_quota));
  return {
    id: { id: 'id', title: t('ID'), sort: 'id', isNumber: true, width: 84, cell: ({ id }) => id },
    name: { id: 'name', title: nameTitle, sort: 'name', width: 130, grow: 2, isName: true, cell: nameOf },
    group: {
      id: 'group',
      title: t('Group'),
      width: 88,
      grow: 1,
      cell: ({ group }) => <GroupLabels groups={group} isPlain />,
    },
    quota: {
      id: 'quota',
      title: t('Remaining'),
      sort: 'quota',
      isNumber: true,
      width: 150,
      grow: 1,
      cell: ({ quota }) => <span title={t('Remaining quota')}>{remaining(quota)}</span>,
    },
    used: {
      id: 'used_quota',
      title: t('Spent'),
      sort: 'used_quota',
      isNumber: true,
      width: 106,
      grow: 1,
      cell: ({ used_quota }) => <span title={t('Used quota')}>{spent(used_quota)}</span>,
    },
  } as const satisfies Readonly<Record<string, Column<Row>>>;
}
