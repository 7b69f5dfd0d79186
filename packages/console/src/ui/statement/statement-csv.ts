import { byteOrderMark, type Cell, csvLine, type Statement } from '@headgate/contract';
import type { Translate } from '../../i18n/translate.ts';
import { formatTime } from '../../lib/format/format.ts';

interface CsvFormat {
  readonly t: Translate;
  /** Description of a credit. */
  readonly describe: (credit: Statement['credits'][number]) => string;
  readonly pointsPerUnit: number;
}

/** One table: usage rows, then credits, then totals. Amounts are in dollars and points; charges are negative. */
export function statementCsv(statement: Statement, { t, describe, pointsPerUnit }: CsvFormat): string {
  const amounts = (points: number): Cell[] => [points / pointsPerUnit, points];
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
  ];
  return byteOrderMark + lines.map(csvLine).join('');
}
