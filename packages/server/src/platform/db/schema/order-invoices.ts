import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Numbers of invoices, and the seller and tax at the time of the payment. */
export const orderInvoices: Migration = {
  async up(database) {
    for (const statement of [
      "alter table orders add column invoice_terms text not null default ''",
      "alter table orders add column invoice_prefix text not null default ''",
      'alter table orders add column invoice_seq bigint not null default 0',
      'create unique index orders_invoice on orders (invoice_prefix, invoice_seq) where invoice_seq > 0',
    ])
      await sql.raw(statement).execute(database);
  },
};
