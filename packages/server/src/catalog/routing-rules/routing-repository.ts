import { affinities, type ModelAlias, type RoutingRule, routingStrategies } from '@headgate/contract';
import type { Insertable, Selectable } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { isUniqueViolation } from '../../platform/db/database-errors.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';

export type RuleFields = Omit<RoutingRule, 'id' | 'created_time'>;
export type AliasFields = Omit<ModelAlias, 'id' | 'created_time'>;

/** Routing rules and model aliases. Rows of a later version that this one cannot read are skipped. */
export class RoutingRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): RoutingRepository {
    return new RoutingRepository(transaction.database);
  }

  async rules(): Promise<RoutingRule[]> {
    return (await this.#rules().orderBy('id').execute()).map(ruleOf);
  }

  aliases(): Promise<ModelAlias[]> {
    return this.#database.selectFrom('model_aliases').selectAll().orderBy('id').execute();
  }

  async count(table: 'routing_rules' | 'model_aliases'): Promise<number> {
    const counted = this.#database.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('count'));
    return (await counted.executeTakeFirstOrThrow()).count;
  }

  /** Locks the rule until the transaction ends. */
  async ruleLocked(id: number): Promise<RoutingRule | undefined> {
    const row = await this.#rules().where('id', '=', id).forUpdate().executeTakeFirst();
    return row && ruleOf(row);
  }

  aliasLocked(id: number): Promise<ModelAlias | undefined> {
    return this.#database.selectFrom('model_aliases').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  }

  async insertRule(rule: RuleFields, now: number): Promise<RoutingRule> {
    const row = { ...rowOf(rule), created_time: now };
    const inserting = this.#database.insertInto('routing_rules').values(row).returningAll();
    return ruleOf(await once('routingRuleExists', () => inserting.executeTakeFirstOrThrow()));
  }

  async updateRule(id: number, rule: RuleFields): Promise<RoutingRule> {
    const updating = this.#database.updateTable('routing_rules').set(rowOf(rule)).where('id', '=', id).returningAll();
    return ruleOf(await once('routingRuleExists', () => updating.executeTakeFirstOrThrow()));
  }

  insertAlias(alias: AliasFields, now: number): Promise<ModelAlias> {
    const row = { ...alias, created_time: now };
    const inserting = this.#database.insertInto('model_aliases').values(row).returningAll();
    return once('modelAliasExists', () => inserting.executeTakeFirstOrThrow());
  }

  updateAlias(id: number, alias: AliasFields): Promise<ModelAlias> {
    const updating = this.#database.updateTable('model_aliases').set(alias).where('id', '=', id).returningAll();
    return once('modelAliasExists', () => updating.executeTakeFirstOrThrow());
  }

  async remove(table: 'routing_rules' | 'model_aliases', id: number): Promise<void> {
    await this.#database.deleteFrom(table).where('id', '=', id).execute();
  }

  #rules() {
    return this.#database
      .selectFrom('routing_rules')
      .selectAll()
      .where('strategy', 'in', routingStrategies)
      .where('affinity', 'in', affinities);
  }
}

const ruleOf = ({ fits_window, split_own_price, ...row }: Selectable<Schema['routing_rules']>): RoutingRule => ({
  ...row,
  fits_window: fits_window === 1,
  split_own_price: split_own_price === 1,
});

const rowOf = ({
  fits_window,
  split_own_price,
  ...rule
}: RuleFields): Omit<Insertable<Schema['routing_rules']>, 'created_time'> => ({
  ...rule,
  fits_window: fits_window ? 1 : 0,
  split_own_price: split_own_price ? 1 : 0,
});

async function once<T>(rejection: 'routingRuleExists' | 'modelAliasExists', write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw isUniqueViolation(error) ? new ApiError(rejection) : error;
  }
}
