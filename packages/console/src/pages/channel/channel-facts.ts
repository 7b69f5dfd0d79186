import { type BalanceUnit, channelType, shortenNumber, splitCommas } from '@headgate/contract';

/** How quickly a channel answers, as a colour; 0 milliseconds means that it was not tested. */
export function responseTimeColor(milliseconds: number): string {
  if (milliseconds <= 0) return 'gray';
  if (milliseconds <= 1000) return 'green';
  if (milliseconds <= 3000) return 'olive';
  return milliseconds <= 5000 ? 'yellow' : 'red';
}

export const secondsText = (seconds: number): string => `${seconds.toFixed(2)} s`;

const balanceFormats: Readonly<Record<BalanceUnit, (balance: number) => string>> = {
  usd: (balance) => `$${balance.toFixed(2)}`,
  cny: (balance) => `¥${balance.toFixed(2)}`,
  'cny/10000': (balance) => `¥${(balance / 10_000).toFixed(2)}`,
  points: shortenNumber,
};

/** Undefined for types whose balance cannot be read. */
export function balanceText(typeId: number, balance: number): string | undefined {
  const unit = channelType(typeId)?.balance;
  return unit && balanceFormats[unit](balance);
}

const preferredTestModel = 'gpt-3.5-turbo';

/** The model a channel is tested with unless another is chosen; empty when it has none. */
export function defaultTestModel(models: string): string {
  const names = splitCommas(models);
  return names.includes(preferredTestModel) ? preferredTestModel : (names[0] ?? '');
}
