import { type Redemption, redemptionStatuses } from '@headgate/contract';
import { Text } from '@mantine/core';
import { useTranslation } from '../../i18n/translate.ts';
import { useStatus } from '../../lib/page/status.ts';
import type { Column } from '../../ui/list/column.ts';
import { SecretText } from '../../ui/secret-text.tsx';
import { StatusDot } from '../../ui/status-dot.tsx';
import { Time } from '../../ui/time.tsx';
import { RedemptionValue } from './redemption-value.tsx';

export function useRedemptionColumns(): readonly Column<Redemption>[] {
  const { t } = useTranslation();
  const { extensions } = useStatus();
  const uses: Column<Redemption> = {
    id: 'uses',
    title: t('Uses'),
    width: 84,
    isExtra: true,
    isNumber: true,
    cell: ({ use_count, max_uses }) => t('{used} of {max}', { used: use_count, max: max_uses }),
  };
  const expires: Column<Redemption> = {
    id: 'expired_time',
    title: t('Expires'),
    width: 144,
    isExtra: true,
    cell: ({ expired_time }) => (expired_time === 0 ? t('Never') : <Time seconds={expired_time} />),
  };
  return [
    { id: 'id', title: t('ID'), sort: 'id', isNumber: true, width: 84, cell: ({ id }) => id },
    {
      id: 'name',
      title: t('Name'),
      sort: 'name',
      width: 150,
      grow: 3,
      cell: ({ name }) => (
        <Text span fw={500} inherit>
          {name || t('None')}
        </Text>
      ),
    },
    {
      id: 'status',
      title: t('Status'),
      sort: 'status',
      width: 100,
      grow: 1,
      cell: ({ status }) => <StatusDot status={status} statuses={redemptionStatuses} />,
    },
    {
      id: 'quota',
      title: t('Quota'),
      sort: 'quota',
      width: 100,
      isNumber: true,
      cell: (code) => <RedemptionValue code={code} />,
    },
    ...(extensions ? [uses, expires] : []),
    {
      id: 'key',
      title: t('Key'),
      width: 132,
      grow: 1,
      cell: ({ key }) => <SecretText text={key} />,
    },
    {
      id: 'created_time',
      title: t('Created'),
      sort: 'created_time',
      width: 144,
      grow: 1,
      cell: ({ created_time }) => <Time seconds={created_time} />,
    },
    {
      id: 'redeemed_time',
      title: t('Redeemed'),
      sort: 'redeemed_time',
      width: 144,
      grow: 1,
      cell: ({ redeemed_time }) => <RedeemedTime seconds={redeemed_time} />,
    },
  ];
}

export function RedeemedTime({ seconds }: { readonly seconds: number }) {
  const { t } = useTranslation();
  return seconds === 0 ? (
    <Text span c="dimmed" inherit>
      {t('Not redeemed yet')}
    </Text>
  ) : (
    <Time seconds={seconds} />
  );
}
