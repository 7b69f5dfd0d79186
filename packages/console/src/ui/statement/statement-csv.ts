import { byteOrderMark, type Cell, csvLine, type Statement } from '@headgate/contract';
import type { Translate } from '../../i18n/translate.ts';
import { formatTime } from '../../lib/format/format.ts';

interface CsvFormat {
  readonly t: Translate;
  /** Description of a credit. */
  readonly describe: (credit: Statement['credits'][number]) => string;
  readonly pointsPerUnit: number;
}

/** One table: opening balance, usage, credits, closing balance. Amounts are in dollars and points; charges are negative. */
export function statementCsv(statement: Statement, { t, describe, pointsPerUnit }: CsvFormat): string {
  const amounts = (points: number): Cell[] => [points / pointsPerUnit, points];
  const { opening, closing, planned } = statement;
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
    ],
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
  ];
  return byteOrderMark + lines.map(csvLine).join('');
}
