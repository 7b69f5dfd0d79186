import type { Kysely } from 'kysely';

export const isPostgres = (database: Pick<Kysely<unknown>, 'getExecutor'>) =>
  database.getExecutor().adapter.constructor.name.startsWith('Postgres');
