import { byteOrderMark, csvLine, decimalAmount, type OwnOrder } from '@headgate/contract';
import type { Translate } from '../../i18n/translate.ts';
import { formatTime } from '../../lib/format/format.ts';
import type { useOrderLabels } from '../../lib/format/order-labels.ts';

interface CsvFormat {
  readonly t: Translate;
  readonly labels: ReturnType<typeof useOrderLabels>;
  readonly pointsPerUnit: number;
}

/** CSV of orders, for receipts and the order history. */
export function orderCsv(orders: readonly OwnOrder[], { t, labels, pointsPerUnit }: CsvFormat): string {
  const heads = [
    t('Order number'),
    t('Created'),
    t('Paid'),
    t('Status'),
    t('Payment method'),
    t('Currency'),
    t('Price'),
    t('Refunded'),
    t('Amount (US dollars)'),
    t('Amount (points)'),
    t('Invoice number'),
    t('Net amount'),
    t('Tax'),
  ];
  const rows = orders.map((order) => [
    order.number,
    formatTime(order.created_time),
    order.paid_time === 0 ? '' : formatTime(order.paid_time),
    labels.stateOf(order.state),
    labels.methodOf(order.provider, order.method),
    order.currency.toUpperCase(),
    decimalAmount(order.amount, order.currency),
    decimalAmount(order.refunded_amount, order.currency),
    order.credited_quota / pointsPerUnit,
    order.credited_quota,
    order.invoice?.number ?? '',
    order.invoice ? decimalAmount(order.invoice.net, order.currency) : '',
    order.invoice ? decimalAmount(order.invoice.tax, order.currency) : '',
  ]);
  return byteOrderMark + [heads, ...rows].map(csvLine).join('');
}
