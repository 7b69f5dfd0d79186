import { type Order, orderProviderNames, orderStateNames, orderStates } from '@headgate/contract';
import { Button, Group, NativeSelect } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/translate.ts';
import { formatCurrency } from '../../lib/format/currency.ts';
import { useOrderLabels } from '../../lib/format/order-labels.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { useList } from '../../lib/list/list.ts';
import { updateQuery } from '../../lib/page/address.ts';
import type { Column } from '../../ui/list/column.ts';
import { ListPage } from '../../ui/list/list-page.tsx';
import { Dot } from '../../ui/status-dot.tsx';
import { Time } from '../../ui/time.tsx';
import { type OrderFilters, orderListKey, readOrderFilters, readOrders } from './order-queries.ts';

/** Orders of all accounts. */
export function OrderListPage() {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const navigate = useNavigate();
  const filters = readOrderFilters(useSearch({ strict: false }));
  const list = useList<Order>({ name: orderListKey, read: readOrders(filters), dependencies: filters });
  const { methodOf } = useOrderLabels();
  const open = (id: number) => void navigate({ to: `/order/${id}` });
  const setFilters = (change: Partial<OrderFilters>) =>
    void navigate({
      to: '.',
      search: updateQuery((before) => ({ ...before, p: undefined, ...change })),
      replace: true,
    });
  const isNarrowed = filters.state !== undefined || filters.provider !== undefined;
  return (
    <ListPage
      title={t('Orders')}
      list={list}
      columns={useColumns()}
      rowKey={({ id }) => id}
      rowName={({ number }) => number}
      onOpen={({ id }) => open(id)}
      actions={({ id }) => [{ label: t('View order'), icon: IconEye, to: `/order/${id}`, isPrimary: true }]}
      tools={
        <Group gap="xs">
          <Button component={Link} to="/plan" variant="default" size="xs">
            {t('Plans')}
          </Button>
          <Button component={Link} to="/payout" variant="default" size="xs">
            {t('Payouts')}
          </Button>
        </Group>
      }
      searchLabel={t('Search orders')}
      quick={<OrderFilterBar filters={filters} onChange={setFilters} />}
      customFilters={{ isNarrowed, clear: () => setFilters({ state: undefined, provider: undefined }) }}
      emptyText={t('No orders yet')}
      card={(order) => ({
        title: order.username || t('Deleted account'),
        status: <OrderStateDot order={order} />,
        facts: [
          { name: t('Price'), value: formatCurrency(order.amount, order.currency) },
          { name: t('Quota'), value: order.plan_name || format(order.quota) },
          { name: t('Payment method'), value: methodOf(order.provider, order.method), isPlain: true },
          { name: t('Created'), value: <Time seconds={order.created_time} />, isPlain: true },
        ],
      })}
    />
  );
}

/** State of an order with its color. */
export function OrderStateDot({ order: { state } }: { readonly order: Pick<Order, 'state'> }) {
  const { stateOf } = useOrderLabels();
  return <Dot color={orderStates[state].color} text={stateOf(state)} />;
}

interface OrderFilterBarProps {
  readonly filters: OrderFilters;
  readonly onChange: (change: Partial<OrderFilters>) => void;
}

function OrderFilterBar({ filters: { state, provider }, onChange }: OrderFilterBarProps) {
  const { t } = useTranslation();
  const { providerOf, stateOf } = useOrderLabels();
  return (
    <Group gap="xs">
      <NativeSelect
        aria-label={t('Status')}
        value={state ?? ''}
        data={[
          { value: '', label: t('All statuses') },
          ...orderStateNames.map((name) => ({ value: name, label: stateOf(name) })),
        ]}
        onChange={({ currentTarget: { value } }) => onChange({ state: readOrderFilters({ state: value }).state })}
      />
      <NativeSelect
        aria-label={t('Payment provider')}
        value={provider ?? ''}
        data={[
          { value: '', label: t('All providers') },
          ...orderProviderNames.map((name) => ({ value: name, label: providerOf(name) })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ provider: readOrderFilters({ provider: value }).provider })
        }
      />
    </Group>
  );
}

function useColumns(): readonly Column<Order>[] {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const { methodOf } = useOrderLabels();
  return [
    { id: 'id', title: t('ID'), isNumber: true, width: 84, cell: ({ id }) => id },
    { id: 'username', title: t('User'), width: 130, grow: 2, cell: ({ username }) => username || t('Deleted account') },
    { id: 'state', title: t('Status'), width: 150, grow: 1, cell: (order) => <OrderStateDot order={order} /> },
    {
      id: 'amount',
      title: t('Price'),
      width: 110,
      isNumber: true,
      cell: ({ amount, currency }) => formatCurrency(amount, currency),
    },
    {
      id: 'quota',
      title: t('Quota'),
      width: 110,
      isNumber: true,
      cell: ({ quota, plan_name }) => plan_name || format(quota),
    },
    {
      id: 'method',
      title: t('Payment method'),
      width: 130,
      grow: 1,
      cell: ({ provider, method }) => methodOf(provider, method),
    },
    { id: 'created', title: t('Created'), width: 144, grow: 1, cell: (order) => <Time seconds={order.created_time} /> },
  ];
}
