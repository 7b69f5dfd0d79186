import { type ComparedUsage, usageMargin } from '@headgate/contract';
import { formatNumber } from '../../../lib/format/format.ts';

/** Names of the rows, by translation key. */
type RowName =
  | 'Requests'
  | 'Failures'
  | 'Charged'
  | 'Charged, cost unknown'
  | 'Our cost'
  | 'Margin'
  | 'Cost per request'
  | 'Output tokens per request'
  | 'First byte, median'
  | 'First byte, p95'
  | 'Duration, median'
  | 'Duration, 95%'
  | 'Duration, 99%';

interface Row {
  readonly name: RowName;
  readonly values: readonly [first: string, second: string];
}

const none = '–';
const costDigits = 6;

const perRequest = (amount: number, { requests, failures }: ComparedUsage): number | undefined =>
  requests - failures > 0 ? amount / (requests - failures) : undefined;

const milliseconds = (ms: number | null): string => (ms === null ? none : `${formatNumber(ms)} ms`);

/** The table of a comparison. */
export function comparisonRows(
  first: ComparedUsage,
  second: ComparedUsage,
  formatQuota: (quota: number, digits?: number) => string,
): readonly Row[] {
  const row = (name: RowName, text: (side: ComparedUsage) => string): Row => ({
    name,
    values: [text(first), text(second)],
  });
  const average = (amount: number, side: ComparedUsage, text: (value: number) => string): string => {
    const value = perRequest(amount, side);
    return value === undefined ? none : text(value);
  };
  return [
    row('Requests', ({ requests }) => formatNumber(requests)),
    row('Failures', ({ requests, failures }) =>
      requests === 0
        ? none
        : `${formatNumber(failures)} (${formatNumber(Math.round((1000 * failures) / requests) / 10)}%)`,
    ),
    row('Charged', ({ quota }) => formatQuota(quota)),
    row('Charged, cost unknown', ({ uncosted_quota }) => formatQuota(uncosted_quota)),
    row('Our cost', ({ cost }) => formatQuota(cost)),
    row('Margin', (side) => formatQuota(usageMargin(side))),
    row('Cost per request', (side) => average(side.cost, side, (cost) => formatQuota(cost, costDigits))),
    row('Output tokens per request', (side) =>
      average(side.completion_tokens, side, (tokens) => formatNumber(Math.round(tokens))),
    ),
    row('First byte, median', ({ first_byte }) => milliseconds(first_byte.p50)),
    row('First byte, p95', ({ first_byte }) => milliseconds(first_byte.p95)),
    row('Duration, median', ({ elapsed }) => milliseconds(elapsed.p50)),
    row('Duration, 95%', ({ elapsed }) => milliseconds(elapsed.p95)),
    row('Duration, 99%', ({ elapsed }) => milliseconds(elapsed.p99)),
  ];
}
