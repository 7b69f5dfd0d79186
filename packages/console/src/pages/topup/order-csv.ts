import { byteOrderMark, csvLine, decimalAmount, type OwnOrder } from '@headgate/contract';
import type { Translate } from '../../i18n/translate.ts';
import { formatTime } from '../../lib/format/format.ts';
import type { useOrderLabels } from '../../lib/format/order-labels.ts';

interface CsvFormat {
  readonly t: Translate;
  readonly labels: ReturnType<typeof useOrderLabels>;
  readonly pointsPerUnit: number;
}

type Cells = readonly (number | string)[];

/** Number, net amount and tax of the invoice; empty without one. */
const invoiceCells = ({ invoice, currency }: OwnOrder): Cells =>
  invoice
    ? [invoice.number, decimalAmount(invoice.net, currency), decimalAmount(invoice.tax, currency), '']
    : ['', '', '', ''];

/** A row for each credit note, with negative amounts, below its order. */
const creditNoteRows = ({ number, invoice, currency, credit_notes }: OwnOrder): Cells[] =>
  credit_notes.map((note) => [
    ...[number, formatTime(note.created_time), '', '', '', currency.toUpperCase()],
    ...[`-${decimalAmount(note.amount, currency)}`, '', '', '', invoice?.number ?? ''],
    ...[`-${decimalAmount(note.net, currency)}`, `-${decimalAmount(note.tax, currency)}`, note.number],
  ]);

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
    t('Credit note number'),
  ];
  const rowOf = (order: OwnOrder, documents: readonly (number | string)[]) => [
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
    ...documents,
  ];
  const rows = orders.flatMap((order) => [rowOf(order, invoiceCells(order)), ...creditNoteRows(order)]);
  return byteOrderMark + [heads, ...rows].map(csvLine).join('');
}
