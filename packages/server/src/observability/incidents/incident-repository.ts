import { type Incident, type IncidentFields, incident } from '@headgate/contract';
import { parseJson } from '@headgate/dialects';
import type { Selectable } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

interface Page {
  readonly p: number;
  readonly size: number;
}

export class IncidentRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): IncidentRepository {
    return new IncidentRepository(transaction.database);
  }

  /** Latest first. Rows that this version cannot read are skipped. */
  async page({ p, size }: Page): Promise<Incident[]> {
    const rows = await this.#latest()
      .limit(size)
      .offset(p * size)
      .execute();
    return rows.flatMap((row) => read(row) ?? []);
  }

  /** Incidents that are open or ended at or after a time, latest first. */
  async since(time: number, limit: number): Promise<Incident[]> {
    const rows = await this.#latest()
      .where((where) => where.or([where('end_time', '=', 0), where('end_time', '>=', time)]))
      .limit(limit)
      .execute();
    return rows.flatMap((row) => read(row) ?? []);
  }

  #latest() {
    return this.#database.selectFrom('incidents').selectAll().orderBy('start_time', 'desc').orderBy('id', 'desc');
  }

  async count(): Promise<number> {
    const { total } = await this.#database
      .selectFrom('incidents')
      .select(({ fn }) => fn.countAll().as('total'))
      .executeTakeFirstOrThrow();
    return Number(total);
  }

  async find(id: number): Promise<Incident | undefined> {
    const row = await this.#database.selectFrom('incidents').selectAll().where('id', '=', id).executeTakeFirst();
    return row && read(row);
  }

  /** Locks the row until the transaction ends. SQLite has a single writer anyway. */
  async lock(id: number): Promise<Incident | undefined> {
    const row = await this.#database
      .selectFrom('incidents')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    return row && read(row);
  }

  async insert(fields: IncidentFields, created_time: number): Promise<Incident> {
    const row = await this.#database
      .insertInto('incidents')
      .values({ ...columnsOf({ ...fields, updates: [] }), created_time })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { ...fields, updates: [], id: row.id, created_time };
  }

  async update({ id, created_time: _, ...fields }: Incident): Promise<void> {
    await this.#database.updateTable('incidents').set(columnsOf(fields)).where('id', '=', id).execute();
  }

  async remove(id: number): Promise<void> {
    await this.#database.deleteFrom('incidents').where('id', '=', id).execute();
  }
}

const columnsOf = ({ models, updates, ...fields }: Omit<Incident, 'id' | 'created_time'>) => ({
  ...fields,
  models: JSON.stringify(models),
  updates: JSON.stringify(updates),
});

const read = ({ models, updates, ...row }: Selectable<Schema['incidents']>): Incident | undefined =>
  incident.safeParse({ ...row, models: parseJson(models), updates: parseJson(updates) }).data;
