/** An amount of quota that users can buy. */
export interface TopUpAmount {
  /** Cents of quota: 1000 is ten dollars of quota. */
  readonly cents: number;
  /** Bonus in percent. */
  readonly bonus: number;
}

export const maxTopUpAmounts = 20;
const maxCents = 10_000_000;
const maxBonus = 1000;

/** Parses a list such as `5, 20, 100 +10%`; undefined if invalid. Amounts are sorted and unique. */
export function readTopUpAmounts(text: string): readonly TopUpAmount[] | undefined {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length > maxTopUpAmounts) return undefined;
  const amounts = parts.map(readTopUpAmount);
  const valid = amounts.filter((amount) => amount !== undefined);
  const isUnique = new Set(valid.map(({ cents }) => cents)).size === parts.length;
  return isUnique ? valid.sort((one, other) => one.cents - other.cents) : undefined;
}

function readTopUpAmount(part: string): TopUpAmount | undefined {
  const match = /^(\d{1,6})(?:\.(\d{1,2}))?(?:\s*\+\s*(\d{1,4})\s*%)?$/.exec(part);
  if (!match) return undefined;
  const [, whole = '', decimals = '', bonus = '0'] = match;
  const amount = { cents: Number(whole) * 100 + Number(decimals.padEnd(2, '0')), bonus: Number(bonus) };
  return amount.cents >= 1 && amount.cents <= maxCents && amount.bonus <= maxBonus ? amount : undefined;
}

/** Formats the list. */
export const serializeTopUpAmounts = (amounts: readonly TopUpAmount[]): string =>
  amounts.map(({ cents, bonus }) => `${cents / 100}${bonus > 0 ? ` +${bonus}%` : ''}`).join(', ');
