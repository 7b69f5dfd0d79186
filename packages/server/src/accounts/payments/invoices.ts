import { type CreditNote, type Invoice, includedTax, type OptionValues } from '@headgate/contract';
import { parseJsonObject } from '@headgate/dialects';
import * as z from 'zod/mini';
import type { Transaction } from '../../platform/db/transaction.ts';
import type { CreditNoteRepository, CreditNoteRow } from './credit-note-repository.ts';
import { documentNumber } from './document-number.ts';
import type { OrderRepository, OrderRow } from './order-repository.ts';

interface InvoicesDependencies {
  readonly orders: OrderRepository;
  readonly creditNotes: CreditNoteRepository;
  readonly now: () => number;
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
      | 'CreditNoteNumberPrefix'
    >;
  };
}

type InvoiceTerms = Omit<Invoice, 'number' | 'net' | 'tax'>;
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
    const terms = this.terms();
    if (!terms) return undefined;
    const invoice_terms = JSON.stringify(terms);
    if (!this.hasNumbers) return { invoice_terms, invoice_prefix: '', invoice_seq: 0 };
    const invoice_prefix = withoutTrailingDashes(this.#dependencies.options.values.InvoiceNumberPrefix);
    const invoice_seq = await this.#dependencies.orders.within(transaction).nextInvoice(invoice_prefix);
    return { invoice_terms, invoice_prefix, invoice_seq };
  }

  /** Seller and tax of new invoices; undefined if no seller, tax or numbering is configured. */
  terms(): InvoiceTerms | undefined {
    const { values } = this.#dependencies.options;
    const { InvoiceSeller: seller, InvoiceAddress: address, InvoiceTaxNumber: tax_number } = values;
    const { InvoiceTaxLabel: tax_label, InvoiceTaxRate: tax_rate } = values;
    if (!this.hasNumbers && tax_rate === 0 && seller + address + tax_number === '') return undefined;
    return { seller, address, tax_number, tax_label, tax_rate };
  }

  get hasNumbers(): boolean {
    return this.#dependencies.options.values.InvoiceNumbersEnabled;
  }

  /**
   * Creates a credit note for the part of an invoiced order that was refunded since the last one. Numbers are gapless
   * like those of invoices. Call with the order locked, after all other locks.
   */
  async credit(transaction: Transaction, order: OrderRow): Promise<void> {
    if (order.invoice_terms === '') return;
    const { options, now } = this.#dependencies;
    const creditNotes = this.#dependencies.creditNotes.within(transaction);
    const noted = sumOf(await creditNotes.ofOrders([order.id]));
    const amount = lostAmount(order) - noted;
    if (amount <= 0) return;
    const prefix = this.hasNumbers ? withoutTrailingDashes(options.values.CreditNoteNumberPrefix) : '';
    const seq = this.hasNumbers ? await creditNotes.nextNumber(prefix) : 0;
    await creditNotes.insert({ order_id: order.id, amount, prefix, seq, created_time: now() });
  }

  /** Orders with their invoices and credit notes. */
  async present<Row extends OrderRow>(rows: readonly Row[]): Promise<(Row & Documents)[]> {
    const ids = rows.filter(({ invoice_terms }) => invoice_terms !== '').map(({ id }) => id);
    const notes = ids.length === 0 ? [] : await this.#dependencies.creditNotes.ofOrders(ids);
    return rows.map((row) => {
      const invoice = invoiceOf(row);
      const own = notes.filter(({ order_id }) => order_id === row.id);
      return { ...row, invoice, credit_notes: creditNotesOf(own, invoice?.tax_rate ?? 0) };
    });
  }

  /** The same for one order. */
  async presentOne<Row extends OrderRow>(row: Row): Promise<Row & Documents> {
    const [presented] = await this.present([row]);
    return presented ?? { ...row, invoice: null, credit_notes: [] };
  }
}

interface Documents {
  readonly invoice: Invoice | null;
  readonly credit_notes: CreditNote[];
}

const sumOf = (notes: readonly CreditNoteRow[]): number => notes.reduce((sum, { amount }) => sum + amount, 0);

/** Part of the price that was refunded, or withdrawn by a lost dispute. */
const lostAmount = ({ amount, refunded_amount, disputed_amount, dispute }: OrderRow): number =>
  Math.min(amount, refunded_amount + (dispute === 'lost' ? disputed_amount : 0));

/** Taxes are differences of cumulative taxes, so those of a complete refund add up to the tax of the invoice. */
function creditNotesOf(notes: readonly CreditNoteRow[], taxRate: number): CreditNote[] {
  return notes.map(({ prefix, seq, amount, created_time }, index) => {
    const before = sumOf(notes.slice(0, index));
    const tax = includedTax(before + amount, taxRate).tax - includedTax(before, taxRate).tax;
    return { number: documentNumber(prefix, seq), amount, net: amount - tax, tax, created_time };
  });
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

function invoiceOf(order: OrderRow): Invoice | null {
  if (order.invoice_terms === '') return null;
  // A restored row may hold anything, and must not break the list of orders.
  const { data: terms } = storedTerms.safeParse(parseJsonObject(order.invoice_terms));
  if (!terms) return null;
  return {
    number: documentNumber(order.invoice_prefix, order.invoice_seq),
    ...terms,
    ...includedTax(order.amount, terms.tax_rate),
  };
}
