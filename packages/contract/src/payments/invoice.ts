import * as z from 'zod/mini';
import { currencyNames } from './currencies.ts';

/** Seller and tax of a paid order, as they were when it was credited. */
export const invoice = z.object({
  /** Empty if invoices had no numbers. */
  number: z.string(),
  seller: z.string(),
  address: z.string(),
  tax_number: z.string(),
  tax_label: z.string(),
  /** In percent. */
  tax_rate: z.number(),
  /** In the smallest unit of the currency; net + tax is the price. */
  net: z.int(),
  tax: z.int(),
});
export type Invoice = z.output<typeof invoice>;

/** Corrects the invoice of an order after a refund or a lost dispute. */
export const creditNote = z.object({
  /** Empty if invoices had no numbers. */
  number: z.string(),
  /** Refunded part of the price, in the smallest unit of the currency; net + tax is the amount. */
  amount: z.int(),
  net: z.int(),
  tax: z.int(),
  created_time: z.int(),
});
export type CreditNote = z.output<typeof creditNote>;

/** Sums of the invoices and credit notes of a period that have the same currency and tax. */
export const statementTax = z.object({
  currency: z.enum(currencyNames),
  tax_label: z.string(),
  /** In percent. */
  tax_rate: z.number(),
  /** Prices of the invoices, in the smallest unit of the currency. */
  paid: z.int(),
  /** Amounts of the credit notes. */
  refunded: z.int(),
  /** net + tax = paid − refunded */
  net: z.int(),
  tax: z.int(),
});
export type StatementTax = z.output<typeof statementTax>;

/** Number, seller and taxes of a statement. */
export const statementDocument = z.object({
  /** Empty if documents have no numbers, or if the period is not a past calendar month. */
  number: z.string(),
  seller: z.string(),
  address: z.string(),
  tax_number: z.string(),
  taxes: z.array(statementTax),
});
export type StatementDocument = z.output<typeof statementDocument>;

/** Rates have at most this many parts per percent. */
const partsPerPercent = 10_000;
const wholeParts = 100 * partsPerPercent;

/** Splits a tax-inclusive price into net and tax. Tax is rounded half up; net + tax = price. */
export function includedTax(price: number, ratePercent: number): { readonly net: number; readonly tax: number } {
  const rate = BigInt(Math.round(ratePercent * partsPerPercent));
  const divisor = BigInt(wholeParts) + rate;
  const tax = Number((2n * BigInt(price) * rate + divisor) / (2n * divisor));
  return { net: price - tax, tax };
}
