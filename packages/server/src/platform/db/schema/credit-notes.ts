import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from '../backend.ts';
import { postgresSyntax, sqliteSyntax } from './sql-syntax.ts';

/** Credit notes of orders that have an invoice. */
export const creditNotes: Migration = {
  async up(database) {
    const { id } = isPostgres(database) ? postgresSyntax : sqliteSyntax;
    for (const statement of [
      `create table credit_notes (
        id ${id},
        order_id bigint not null,
        amount bigint not null,
        prefix text not null,
        seq bigint not null,
        created_time bigint not null
      )`,
      'create index credit_notes_order on credit_notes (order_id)',
      'create unique index credit_notes_number on credit_notes (prefix, seq) where seq > 0',
    ])
      await sql.raw(statement).execute(database);
  },
};
