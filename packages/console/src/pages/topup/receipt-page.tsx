import { type CreditNote, type Invoice, type OwnOrder, orderStates } from '@headgate/contract';
import { Button, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { IconDownload, IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Translate, useTranslation } from '../../i18n/translate.ts';
import { useUser } from '../../lib/account/session.ts';
import { downloadText } from '../../lib/api/download.ts';
import { formatCurrency } from '../../lib/format/currency.ts';
import { useOrderLabels } from '../../lib/format/order-labels.ts';
import { useQuotaFormat } from '../../lib/format/quota.ts';
import { useStatus } from '../../lib/page/status.ts';
import { LoadFailed } from '../../ui/load-failed.tsx';
import { Dot } from '../../ui/status-dot.tsx';
import { Time } from '../../ui/time.tsx';
import { orderCsv } from './order-csv.ts';
import { ownOrderQuery } from './order-queries.ts';
import styles from './topup-page.module.css';

/** Receipt of an order, to print or save. */
export function ReceiptPage() {
  const { t } = useTranslation();
  const { number } = useParams({ strict: false }) as { readonly number: string };
  const { data, error, refetch } = useQuery(ownOrderQuery(number));
  const { system_name } = useStatus();
  return (
    <Stack gap="lg" maw={640} className={styles['receipt'] ?? ''}>
      <Toolbar order={data} />
      <div>
        <Text c="dimmed">{system_name}</Text>
        <Title order={1}>{data?.invoice?.number ? t('Invoice') : t('Receipt')}</Title>
      </div>
      {error && !data && <LoadFailed title={t('The order could not be loaded')} error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton height={240} />}
      {data && <Receipt order={data} />}
      {data?.credit_notes.map((note, index) => (
        <CreditNoteTable key={note.number || index} order={data} note={note} />
      ))}
    </Stack>
  );
}

function Toolbar({ order }: { readonly order: OwnOrder | undefined }) {
  const { t } = useTranslation();
  const { quota_per_unit } = useStatus();
  const labels = useOrderLabels();
  const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;
  const save = () => {
    if (!order) return;
    const text = orderCsv([order], { t, labels, pointsPerUnit: quota_per_unit });
    downloadText(`receipt-${order.number}.csv`, text, 'text/csv');
  };
  return (
    <Group justify="flex-end" gap="xs" className={styles['toolbar'] ?? ''}>
      <Button variant="default" disabled={!order} leftSection={<IconDownload {...icon} />} onClick={save}>
        {t('Export CSV')}
      </Button>
      <Button disabled={!order} leftSection={<IconPrinter {...icon} />} onClick={() => window.print()}>
        {t('Print or save as PDF')}
      </Button>
    </Group>
  );
}

type Row = readonly [string, ReactNode];

/** Seller and number of an invoice; without empty values. */
function sellerRows(invoice: Invoice | null, t: Translate): readonly Row[] {
  if (!invoice) return [];
  const rows: readonly Row[] = [
    [t('Invoice number'), invoice.number],
    [t('Seller'), invoice.seller],
    [t('Seller address'), invoice.address],
    [t('Tax number'), invoice.tax_number],
  ];
  return rows.filter(([, value]) => value !== '');
}

/** Net amount and tax, which add up to the price. */
function taxRows({ invoice, currency }: Pick<OwnOrder, 'invoice' | 'currency'>, t: Translate): readonly Row[] {
  if (!invoice || invoice.tax_rate === 0) return [];
  const { net, tax, tax_label, tax_rate } = invoice;
  return [
    [t('Net amount'), formatCurrency(net, currency)],
    [t('Tax: {label} {percent}%', { label: tax_label, percent: tax_rate }), formatCurrency(tax, currency)],
  ];
}

function Receipt({ order }: { readonly order: OwnOrder }) {
  const { t } = useTranslation();
  const format = useQuotaFormat();
  const user = useUser();
  const { stateOf, methodOf } = useOrderLabels();
  const { currency, amount, refunded_amount, quota, bonus_quota, plan_name, credited_quota, paid_time } = order;
  const rows: readonly Row[] = [
    ...sellerRows(order.invoice, t),
    [t('Order number'), order.number],
    [t('User'), user?.username],
    [t('Created'), <Time key="created" seconds={order.created_time} />],
    ...(paid_time > 0 ? ([[t('Paid'), <Time key="paid" seconds={paid_time} />]] as const) : []),
    [t('Payment method'), methodOf(order.provider, order.method)],
    [t('Status'), <Dot key="state" color={orderStates[order.state].color} text={stateOf(order.state)} />],
    plan_name === '' ? [t('Quota'), format(quota)] : [t('Plan'), plan_name],
    ...(bonus_quota > 0 ? ([[t('Includes bonus'), format(bonus_quota)]] as const) : []),
    ...taxRows(order, t),
    [t('Price'), formatCurrency(amount, currency)],
    ...(refunded_amount > 0 ? ([[t('Refunded'), formatCurrency(refunded_amount, currency)]] as const) : []),
    ...(paid_time > 0 && credited_quota !== quota
      ? ([[t('Remaining quota of the order'), format(credited_quota)]] as const)
      : []),
  ];
  return <RowTable label={t('Receipt')} rows={rows} />;
}

/** Credit note of a refund, printed on a separate page. */
function CreditNoteTable({ order, note }: { readonly order: OwnOrder; readonly note: CreditNote }) {
  const { t } = useTranslation();
  const { currency, invoice } = order;
  const { number, amount, net, tax, created_time } = note;
  const rows: readonly Row[] = [
    ...(number === '' ? [] : ([[t('Credit note number'), number]] as const)),
    ...sellerRows(invoice, t),
    [t('Order number'), order.number],
    [t('Created'), <Time key="created" seconds={created_time} />],
    ...(invoice ? taxRows({ currency, invoice: { ...invoice, net: -net, tax: -tax } }, t) : []),
    [t('Refunded'), formatCurrency(-amount, currency)],
  ];
  return (
    <section className={styles['credit-note'] ?? ''}>
      <Title order={2} size="h3" mb="md">
        {t('Credit note')}
      </Title>
      <RowTable label={number === '' ? t('Credit note') : number} rows={rows} />
    </section>
  );
}

function RowTable({ label, rows }: { readonly label: string; readonly rows: readonly Row[] }) {
  return (
    <Table aria-label={label} variant="vertical" layout="fixed">
      <Table.Tbody>
        {rows.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th w={200}>{name}</Table.Th>
            <Table.Td className={styles['value'] ?? ''}>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
