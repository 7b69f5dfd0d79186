import { type OwnOrder, orderStates } from '@headgate/contract';
import { Anchor, Button, Group, Pagination, Paper, Table, Title } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { downloadText } from '../../lib/api/download.ts';
import { formatCurrency } from '../../lib/format/currency.ts';
import { useOrderLabels } from '../../lib/format/order-labels.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { useStatus } from '../../lib/page/status.ts';
import { Dot } from '../../ui/status-dot.tsx';
import { Time } from '../../ui/time.tsx';
import { orderCsv } from './order-csv.ts';
import { ordersPerPage, ownOrdersQuery, readAllOrders } from './order-queries.ts';
import styles from './topup-page.module.css';

/** Orders of the signed-in user; absent if there are none. */
export function OrderHistory() {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const { data } = useQuery(ownOrdersQuery(page - 1));
  const id = useId();
  const total = data?.total ?? 0;
  if (!data || total === 0) return null;
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby={id}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h3" id={id}>
          {t('Orders')}
        </Title>
        <ExportButton />
      </Group>
      <OrderTable orders={data.rows} />
      {total > ordersPerPage && (
        <Pagination
          mt="md"
          size="sm"
          total={Math.ceil(total / ordersPerPage)}
          value={page}
          onChange={setPage}
          getControlProps={(control) => ({ 'aria-label': control === 'next' ? t('Next page') : t('Previous page') })}
        />
      )}
    </Paper>
  );
}

function OrderTable({ orders }: { readonly orders: readonly OwnOrder[] }) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const { stateOf } = useOrderLabels();
  return (
    <Table className={styles['orders'] ?? ''} aria-label={t('Orders')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Time')}</Table.Th>
          <Table.Th>{t('Price')}</Table.Th>
          <Table.Th>{t('Quota')}</Table.Th>
          <Table.Th>{t('Status')}</Table.Th>
          <Table.Th>{t('Receipt')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {orders.map(({ number, created_time, amount, currency, quota, plan_name, state }) => (
          <Table.Tr key={number}>
            <Table.Td>
              <Time seconds={created_time} />
            </Table.Td>
            <Table.Td>{formatCurrency(amount, currency)}</Table.Td>
            <Table.Td>{plan_name || format(quota)}</Table.Td>
            <Table.Td>
              <Dot color={orderStates[state].color} text={stateOf(state)} />
            </Table.Td>
            <Table.Td>
              <Anchor
                component={Link}
                to={`/topup/order/${number}`}
                aria-label={t('Receipt of order {number}', { number })}
                inherit
              >
                {t('Receipt')}
              </Anchor>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function ExportButton() {
  const { t } = useTranslation();
  const { quota_per_unit } = useStatus();
  const labels = useOrderLabels();
  const save = useMutation({
    mutationFn: readAllOrders,
    onSuccess: (orders) =>
      downloadText('orders.csv', orderCsv(orders, { t, labels, pointsPerUnit: quota_per_unit }), 'text/csv'),
  });
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconDownload size={16} stroke={1.6} aria-hidden />}
      loading={save.isPending}
      onClick={() => save.mutate()}
    >
      {t('Export CSV')}
    </Button>
  );
}
