import {
  byteOrderMark,
  type Cell,
  csvLine,
  decimalAmount,
  type Statement,
  type StatementDocument,
} from '@headgate/contract';
import type { Translate } from '../../i18n/translate.ts';
import { formatTime } from '../../lib/format/format.ts';
import { documentRows } from './document-rows.ts';

interface CsvFormat {
  readonly t: Translate;
  /** Description of a credit. */
  readonly describe: (credit: Statement['credits'][number]) => string;
  readonly pointsPerUnit: number;
  /** Name of the account. */
  readonly buyer: string;
}

/**
 * One table: seller and buyer, opening balance, usage, credits, closing balance, taxes. Amounts are in dollars and
 * points; charges are negative. Taxes are in the currency of the orders, in columns that other statements do not have.
 */
export function statementCsv(statement: Statement, format: CsvFormat): string {
  const { t, describe, pointsPerUnit, buyer } = format;
  const amounts = (points: number): Cell[] => [points / pointsPerUnit, points];
  const { opening, closing, planned, document } = statement;
  const balance = (name: string, points: number): Cell[][] => [
    [t('Balance'), '', name, ...['', '', '', ''], ...amounts(points)],
  ];
  const lines: Cell[][] = [
    [
      t('Type'),
      t('Time'),
      t('Description'),
      t('Requests'),
      t('Failed requests'),
      t('Prompt tokens'),
      t('Completion tokens'),
      t('Amount (US dollars)'),
      t('Amount (points)'),
      ...(document ? taxTitles(t) : []),
    ],
    ...(document ? documentRows(document, buyer, t).map(([name, value]) => [name, '', value]) : []),
    ...(opening === null ? [] : balance(t('Opening balance'), opening)),
    ...statement.models.map(({ model, requests, failures, prompt_tokens, completion_tokens, quota }) => [
      t('Usage'),
      '',
      model || t('Others'),
      ...[requests, failures, prompt_tokens, completion_tokens],
      ...amounts(-quota),
    ]),
    ...statement.credits.map((credit) => [
      t('Credit'),
      formatTime(credit.time),
      describe(credit),
      ...['', '', '', ''],
      ...(credit.amount === null ? ['', ''] : amounts(credit.amount)),
    ]),
    ...(planned === 0 ? [] : balance(t('Charged to plans'), planned)),
    ...(closing === null ? [] : balance(t('Closing balance'), closing)),
    ...(document ? taxLines(document, t) : []),
  ];
  const columns = lines[0]?.length ?? 0;
  const padded = lines.map((cells) => [...cells, ...Array<Cell>(columns - cells.length).fill('')]);
  return byteOrderMark + padded.map(csvLine).join('');
}

const taxTitles = (t: Translate): Cell[] => [t('Currency'), t('Paid'), t('Refunded'), t('Net amount'), t('Tax amount')];

const taxLines = ({ taxes }: StatementDocument, t: Translate): Cell[][] =>
  taxes.map(({ currency, tax_label, tax_rate, paid, refunded, net, tax }) => [
    ...[t('Tax'), '', `${tax_label} ${tax_rate}%`, '', '', '', '', '', '', currency.toUpperCase()],
    ...[paid, refunded, net, tax].map((amount) => decimalAmount(amount, currency)),
  ]);
