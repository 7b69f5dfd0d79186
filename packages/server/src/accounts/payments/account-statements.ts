import type { Statement, StatementDocument, StatementTax } from '@headgate/contract';
import type { StatementPeriod, StatementReader, StatementService } from '../../records/statements/statement-service.ts';
import { documentNumber } from './document-number.ts';
import type { Invoices } from './invoices.ts';
import type { OrderRepository } from './order-repository.ts';

interface AccountStatementsDependencies {
  readonly statements: StatementService;
  readonly orders: OrderRepository;
  readonly invoices: Invoices;
  readonly now: () => number;
}

/** Largest difference between UTC and the local time of a month, in seconds. */
const maxOffset = 14 * 3600;

/** Statements with the seller, tax and number that invoices have. */
export class AccountStatements implements StatementReader {
  readonly #dependencies: AccountStatementsDependencies;

  constructor(dependencies: AccountStatementsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Statements with a tag are only a part of what the account pays, so they have no document. */
  async of(...[user, period, tag]: Parameters<StatementReader['of']>): Promise<Statement> {
    const statement = await this.#dependencies.statements.of(user, period, tag);
    return { ...statement, document: tag ? null : await this.#document(user.id, period) };
  }

  async #document(accountId: number, period: StatementPeriod): Promise<StatementDocument | null> {
    const { orders, invoices, now } = this.#dependencies;
    const { start_timestamp: from, end_timestamp: to } = period;
    const isWithin = (time: number) => time >= from && time <= to;
    const taxes = new Taxes();
    // The seller of the last invoice, so that later changes of the options do not change a past statement.
    let seller = invoices.terms();
    for (const order of await invoices.present(await orders.invoicedWithin(accountId, { from, to }))) {
      const { invoice, currency, amount, paid_time, credit_notes } = order;
      if (!invoice) continue;
      seller = invoice;
      const { net, tax } = invoice;
      if (isWithin(paid_time)) taxes.add({ ...invoice, currency }, { paid: amount, refunded: 0, net, tax });
      for (const note of credit_notes.filter(({ created_time }) => isWithin(created_time)))
        taxes.add({ ...invoice, currency }, { paid: 0, refunded: note.amount, net: -note.net, tax: -note.tax });
    }
    if (!seller) return null;
    const { address, tax_number } = seller;
    const month = invoices.hasNumbers && to < now() ? monthOf(period) : undefined;
    const number = month === undefined ? '' : documentNumber(`ST-${month}`, accountId);
    return { number, seller: seller.seller, address, tax_number, taxes: taxes.rows };
  }
}

type TaxKind = Pick<StatementTax, 'currency' | 'tax_label' | 'tax_rate'>;
type TaxSums = Omit<StatementTax, keyof TaxKind>;

/** Sums by currency and tax. */
class Taxes {
  readonly #sums = new Map<string, StatementTax>();

  add({ currency, tax_label, tax_rate }: TaxKind, { paid, refunded, net, tax }: TaxSums): void {
    if (tax_rate === 0) return;
    const key = JSON.stringify([currency, tax_label, tax_rate]);
    const before = this.#sums.get(key) ?? { paid: 0, refunded: 0, net: 0, tax: 0 };
    this.#sums.set(key, {
      ...{ currency, tax_label, tax_rate },
      paid: before.paid + paid,
      refunded: before.refunded + refunded,
      net: before.net + net,
      tax: before.tax + tax,
    });
  }

  get rows(): StatementTax[] {
    return [...this.#sums.values()];
  }
}

/** A period that is a calendar month in some time zone, such as `2026-11`; undefined for other periods. */
function monthOf({ start_timestamp, end_timestamp }: StatementPeriod): string | undefined {
  const middle = new Date(((start_timestamp + end_timestamp) / 2) * 1000);
  const [year, month] = [middle.getUTCFullYear(), middle.getUTCMonth()];
  const isStart = (time: number, index: number) => Math.abs(time - Date.UTC(year, index) / 1000) <= maxOffset;
  if (!isStart(start_timestamp, month) || !isStart(end_timestamp + 1, month + 1)) return undefined;
  return `${year}-${String(month + 1).padStart(2, '0')}`;
}
