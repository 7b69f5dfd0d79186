import { type Currency, currencies } from '@headgate/contract';
import { browserLocale } from './format.ts';

/** Amount in the smallest unit of a currency, as text in the locale of the browser. */
export function formatCurrency(amount: number, currency: Currency, locale = browserLocale()): string {
  const decimals = currencies[currency];
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const style = { style: 'currency', currency: currency.toUpperCase(), currencyDisplay: 'symbol' } as const;
  return new Intl.NumberFormat(locale, { ...style, ...digits }).format(amount / 10 ** decimals);
}
