import { callbackVerdicts, type Order, type PaymentCallback } from '@headgate/contract';
import { Anchor, Button, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { formatCurrency } from '../../lib/format/currency.ts';
import { useOrderLabels } from '../../lib/format/order-labels.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { showMessage } from '../../lib/page/messages.ts';
import { LoadFailed } from '../../ui/load-failed.tsx';
import { Dot } from '../../ui/status-dot.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './order.module.css';
import { OrderStateDot } from './order-list-page.tsx';
import { orderQuery, useOrderChanges } from './order-queries.ts';
import { RefundDialog } from './refund-dialog.tsx';

/** An order with its provider callbacks. */
export function OrderPage() {
  const { t } = useTranslation();
  const { id } = useParams({ strict: false }) as { readonly id: string };
  const { data, error, refetch } = useQuery(orderQuery(Number(id)));
  return (
    <Stack gap="lg" maw={960}>
      <Group justify="space-between">
        <Title order={1}>{t('Order {number}', { number: id })}</Title>
        {data && <OrderActions order={data.order} />}
      </Group>
      {error && !data && <LoadFailed title={t('The order could not be loaded')} error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton height={320} />}
      {data && (
        <>
          <OrderFacts order={data.order} />
          <Callbacks callbacks={data.callbacks} />
        </>
      )}
    </Stack>
  );
}

function OrderActions({ order }: { readonly order: Order }) {
  const { t } = useTranslation();
  const { check, refund } = useOrderChanges(order.id);
  const { stateOf } = useOrderLabels();
  const [isRefunding, setRefunding] = useState(false);
  const query = () =>
    check.mutate(undefined, {
      onSuccess: ({ state }) => showMessage('success', t('State: {state}', { state: stateOf(state) })),
    });
  const isRefundable = order.payment_id !== '' && order.refunded_amount < order.amount;
  return (
    <Group gap="xs">
      {order.provider !== 'imported' && (
        <Button variant="default" loading={check.isPending} onClick={query}>
          {t('Check with provider')}
        </Button>
      )}
      {isRefundable && (
        <Button variant="default" onClick={() => setRefunding(true)}>
          {t('Record refund')}
        </Button>
      )}
      {isRefunding && <RefundDialog order={order} refund={refund} onClosed={() => setRefunding(false)} />}
    </Group>
  );
}

function OrderFacts({ order }: { readonly order: Order }) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const { methodOf, providerOf } = useOrderLabels();
  const money = (amount: number) => formatCurrency(amount, order.currency);
  const account = order.username ? (
    <Anchor component={Link} to={`/user/view/${order.account_id}`} inherit>
      {order.username}
    </Anchor>
  ) : (
    t('Deleted account')
  );
  const method = methodOf(order.provider, order.method);
  const provider = providerOf(order.provider);
  const facts: readonly (readonly [string, ReactNode, boolean?])[] = [
    [t('Order number'), order.number],
    [t('Status'), <OrderStateDot key="state" order={order} />],
    [t('User'), account],
    [t('Price'), money(order.amount)],
    order.plan_name === '' ? [t('Quota'), format(order.quota)] : [t('Plan'), order.plan_name],
    [t('Includes bonus'), format(order.bonus_quota), order.bonus_quota > 0],
    [t('Credited'), format(order.credited_quota), order.plan_name === ''],
    [t('Payment method'), provider === method ? provider : `${provider} · ${method}`],
    [t('Invoice number'), order.invoice?.number, (order.invoice?.number ?? '') !== ''],
    [
      t('Credit note number'),
      order.credit_notes.map(({ number }) => number).join(', '),
      order.credit_notes.some(({ number }) => number !== ''),
    ],
    [t('Payment ID'), order.payment_id, order.payment_id !== ''],
    [t('Refunded'), money(order.refunded_amount), order.refunded_amount > 0],
    [t('Disputed'), money(order.disputed_amount), order.disputed_amount > 0],
    [t('Note'), order.note, order.note !== ''],
    [t('Created'), <Time key="created" seconds={order.created_time} />],
    [t('Paid'), <Time key="paid" seconds={order.paid_time} />, order.paid_time > 0],
    [t('Provider queried'), <Time key="checked" seconds={order.checked_time} />, order.checked_time > 0],
  ];
  return (
    <Table variant="vertical" layout="fixed" aria-label={t('Order')}>
      <Table.Tbody>
        {facts
          .filter(([, , isShown = true]) => isShown)
          .map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th className={styles['name'] ?? ''}>{name}</Table.Th>
              <Table.Td className={styles['value'] ?? ''}>{value}</Table.Td>
            </Table.Tr>
          ))}
      </Table.Tbody>
    </Table>
  );
}

function Callbacks({ callbacks }: { readonly callbacks: readonly PaymentCallback[] }) {
  const { t } = useTranslation();
  return (
    <section>
      <Title order={2} size="h3" mb="xs">
        {t('Callbacks')}
      </Title>
      {callbacks.length === 0 && <Text c="dimmed">{t('No callbacks yet')}</Text>}
      {callbacks.length > 0 && (
        <Table aria-label={t('Callbacks')}>
          <Table.Tbody>
            {callbacks.map((callback) => (
              <CallbackRow key={callback.id} callback={callback} />
            ))}
          </Table.Tbody>
        </Table>
      )}
    </section>
  );
}

function CallbackRow({ callback }: { readonly callback: PaymentCallback }) {
  const { t, label } = useTranslation();
  const { created_time, event, verdict, detail, source } = callback;
  const row = callbackVerdicts[verdict];
  const sources = { callback: t('Callback'), query: t('Query'), admin: t('Recorded by an admin') } as const;
  return (
    <Table.Tr>
      <Table.Td className={styles['time'] ?? ''}>
        <Time seconds={created_time} />
      </Table.Td>
      <Table.Td>{sources[source]}</Table.Td>
      <Table.Td className={styles['value'] ?? ''}>{event}</Table.Td>
      <Table.Td>
        <Dot color={row.color} text={label(row.label)} reason={detail} />
      </Table.Td>
    </Table.Tr>
  );
}
