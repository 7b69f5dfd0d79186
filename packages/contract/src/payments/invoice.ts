import * as z from 'zod/mini';

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
