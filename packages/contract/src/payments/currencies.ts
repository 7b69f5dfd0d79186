/** Currencies of orders, with the number of decimals of their smallest unit. */
export const currencies = {
  usd: 2,
  eur: 2,
  gbp: 2,
  cny: 2,
  hkd: 2,
  sgd: 2,
  aud: 2,
  cad: 2,
  chf: 2,
  jpy: 0,
  krw: 0,
  inr: 2,
  brl: 2,
} as const satisfies Readonly<Record<string, number>>;

export type Currency = keyof typeof currencies;
export const currencyNames = Object.keys(currencies) as [Currency, ...Currency[]];

export const isCurrency = (name: string): name is Currency => Object.hasOwn(currencies, name);

/** An amount in smallest units as a plain decimal number, such as 12.34. */
export function decimalAmount(amount: number, currency: Currency): string {
  const decimals = currencies[currency];
  if (decimals === 0) return String(amount);
  const digits = String(Math.abs(amount)).padStart(decimals + 1, '0');
  const sign = amount < 0 ? '-' : '';
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** An amount with its currency, such as 12.34 USD. */
export const amountText = (amount: number, currency: Currency): string =>
  `${decimalAmount(amount, currency)} ${currency.toUpperCase()}`;
