import { type AlertRule, type AlertRuleFields, alertRule } from '@headgate/contract';
import { parseJson } from '@headgate/dialects';
import type { Selectable } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

export class AlertRuleRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): AlertRuleRepository {
    return new AlertRuleRepository(transaction.database);
  }

  /** Rows of a later version that this one cannot read are skipped. */
  async all(): Promise<AlertRule[]> {
    const rows = await this.#database.selectFrom('alert_rules').selectAll().orderBy('id').execute();
    return rows.flatMap((row) => read(row) ?? []);
  }

  async find(id: number): Promise<AlertRule | undefined> {
    const row = await this.#database.selectFrom('alert_rules').selectAll().where('id', '=', id).executeTakeFirst();
    return row && read(row);
  }

  async insert({ kind, ...settings }: AlertRuleFields, created_time: number): Promise<AlertRule> {
    const row = await this.#database
      .insertInto('alert_rules')
      .values({ kind, settings: JSON.stringify(settings), created_time })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { kind, ...settings, id: row.id, created_time };
  }

  async update(id: number, { kind, ...settings }: AlertRuleFields): Promise<void> {
    await this.#database
      .updateTable('alert_rules')
      .set({ kind, settings: JSON.stringify(settings) })
      .where('id', '=', id)
      .execute();
  }

  async remove(id: number): Promise<void> {
    await this.#database.deleteFrom('alert_rules').where('id', '=', id).execute();
    await this.#database.deleteFrom('alert_claims').where('rule_id', '=', id).execute();
  }
}

function read({ id, kind, settings, created_time }: Selectable<Schema['alert_rules']>): AlertRule | undefined {
  const given = parseJson(settings);
  return alertRule.safeParse({ ...(given as object), id, kind, created_time }).data;
}
