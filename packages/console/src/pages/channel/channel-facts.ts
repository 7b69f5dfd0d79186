import { type BalanceUnit, channelType, shortenNumber, splitCommas } from '@headgate/contract';
import { formatDecimals, formatMoney } from '../../lib/format/format.ts';

/** Color for a response time; 0 ms means not tested. */
export function responseTimeColor(milliseconds: number): string {
  if (milliseconds <= 0) return 'gray';
  if (milliseconds <= 1000) return 'green';
  if (milliseconds <= 3000) return 'olive';
  return milliseconds <= 5000 ? 'yellow' : 'red';
}

export const formatSeconds = (seconds: number): string => `${formatDecimals(seconds)} s`;

const balanceFormats: Readonly<Record<BalanceUnit, (balance: number) => string>> = {
  usd: (balance) => formatMoney(balance),
  cny: (balance) => formatMoney(balance, 2, '¥'),
  'cny/10000': (balance) => formatMoney(balance / 10_000, 2, '¥'),
  points: shortenNumber,
};

/** Undefined for types without a balance. */
export function formatChannelBalance(typeId: number, balance: number): string | undefined {
  const unit = channelType(typeId)?.balance;
  return unit && balanceFormats[unit](balance);
}

const preferredTestModel = 'gpt-3.5-turbo';

/** Default test model of a channel; empty if it has no models. */
export function defaultTestModel(models: string): string {
  const names = splitCommas(models);
  return names.includes(preferredTestModel) ? preferredTestModel : (names[0] ?? '');
}
