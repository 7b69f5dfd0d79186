import { type Invoice, includedTax, type OptionValues } from '@headgate/contract';
import { parseJsonObject } from '@headgate/dialects';
import * as z from 'zod/mini';
import type { Transaction } from '../../platform/db/transaction.ts';
import type { OrderRepository, OrderRow } from './order-repository.ts';

interface InvoicesDependencies {
  readonly orders: OrderRepository;
  readonly options: {
    readonly values: Pick<
      OptionValues,
      | 'InvoiceSeller'
      | 'InvoiceAddress'
      | 'InvoiceTaxNumber'
      | 'InvoiceTaxLabel'
      | 'InvoiceTaxRate'
      | 'InvoiceNumbersEnabled'
      | 'InvoiceNumberPrefix'
    >;
  };
}

type InvoiceColumns = Pick<OrderRow, 'invoice_terms' | 'invoice_prefix' | 'invoice_seq'>;

/** Seller, tax and invoice number of orders, from the options. */
export class Invoices {
  readonly #dependencies: InvoicesDependencies;

  constructor(dependencies: InvoicesDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Invoice columns for an order being credited; undefined if no seller, tax or numbering is configured. Numbers are
   * gapless: concurrent payments wait for this transaction, and a rollback releases the number. Take all other locks
   * first.
   */
  async issue(transaction: Transaction): Promise<InvoiceColumns | undefined> {
    const { values } = this.#dependencies.options;
    const { InvoiceSeller: seller, InvoiceAddress: address, InvoiceTaxNumber: tax_number } = values;
    const { InvoiceTaxLabel: tax_label, InvoiceTaxRate: tax_rate, InvoiceNumbersEnabled: hasNumbers } = values;
    if (!hasNumbers && tax_rate === 0 && seller + address + tax_number === '') return undefined;
    const invoice_terms = JSON.stringify({ seller, address, tax_number, tax_label, tax_rate });
    if (!hasNumbers) return { invoice_terms, invoice_prefix: '', invoice_seq: 0 };
    const invoice_prefix = withoutTrailingDashes(values.InvoiceNumberPrefix);
    const invoice_seq = await this.#dependencies.orders.within(transaction).nextInvoice(invoice_prefix);
    return { invoice_terms, invoice_prefix, invoice_seq };
  }
}

function withoutTrailingDashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '-') end -= 1;
  return text.slice(0, end);
}

const storedTerms = z.object({
  seller: z.string(),
  address: z.string(),
  tax_number: z.string(),
  tax_label: z.string(),
  tax_rate: z.number(),
});

const numberDigits = 6;

const invoiceNumber = ({ invoice_prefix, invoice_seq }: InvoiceColumns): string =>
  invoice_seq === 0
    ? ''
    : `${invoice_prefix === '' ? '' : `${invoice_prefix}-`}${String(invoice_seq).padStart(numberDigits, '0')}`;

function invoiceOf(order: OrderRow): Invoice | null {
  if (order.invoice_terms === '') return null;
  // A restored row may hold anything, and must not break the list of orders.
  const { data: terms } = storedTerms.safeParse(parseJsonObject(order.invoice_terms));
  if (!terms) return null;
  return { number: invoiceNumber(order), ...terms, ...includedTax(order.amount, terms.tax_rate) };
}

/** The order and its invoice. */
export const withInvoice = <Row extends OrderRow>(order: Row): Row & { readonly invoice: Invoice | null } => ({
  ...order,
  invoice: invoiceOf(order),
});
