import {
  isMoreSpecific,
  type ModelAlias,
  maxRoutingRules,
  type Parsed,
  type RoutingRule,
  type routingApi,
} from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { ManagedGuard } from '../../platform/managed/managed-guard.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { changeText, listChange, valueChange } from '../../records/bulk/field-change.ts';
import { adminEvent, type LogService } from '../../records/logs/log-service.ts';
import type { AliasFields, RoutingRepository, RuleFields } from './routing-repository.ts';

interface RoutingServiceDependencies {
  readonly routing: RoutingRepository;
  readonly logs: LogService;
  readonly inTransaction: InTransaction;
  readonly managed: ManagedGuard;
}

type Event =
  | 'routing.rule_created'
  | 'routing.rule_updated'
  | 'routing.rule_deleted'
  | 'routing.alias_created'
  | 'routing.alias_updated'
  | 'routing.alias_deleted';

/** Routing rules and aliases. Every change is logged and sent to all nodes. */
export class RoutingService {
  readonly #routing: RoutingRepository;
  readonly #dependencies: RoutingServiceDependencies;

  constructor(dependencies: RoutingServiceDependencies) {
    this.#routing = dependencies.routing;
    this.#dependencies = dependencies;
  }

  /** Most specific first; the first matching rule is applied. */
  async rules(): Promise<RoutingRule[]> {
    return (await this.#routing.rules()).sort(bySpecificity);
  }

  async rule(id: number): Promise<RoutingRule> {
    return found((await this.#routing.rules()).find((rule) => rule.id === id));
  }

  async alias(id: number): Promise<ModelAlias> {
    return found((await this.#routing.aliases()).find((alias) => alias.id === id));
  }

  async aliases(): Promise<ModelAlias[]> {
    return (await this.#routing.aliases()).sort((one, other) => specificityOf(one.pattern, other.pattern));
  }

  createRule(admin: UserRow, rule: RuleFields): Promise<RoutingRule> {
    return this.#changing(async (routing, transaction) => {
      rejectAboveLimit(await routing.count('routing_rules'));
      const made = await routing.insertRule(rule, nowInSeconds());
      const values = { id: made.id, subject: subjectOf(made), fields: fieldsText(made) };
      await this.#log(transaction, admin, 'routing.rule_created', values);
      return made;
    });
  }

  updateRule(admin: UserRow, { id, ...given }: Parsed<typeof routingApi.updateRule>['body']): Promise<RoutingRule> {
    return this.#changing(async (routing, transaction) => {
      const before = found(await routing.ruleLocked(id));
      await this.#dependencies.managed.rejectRow(transaction, 'routingRule', id);
      const { id: _id, created_time: _time, ...kept } = before;
      const change = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      const after = await routing.updateRule(id, { ...kept, ...change });
      const fields = differences(before, after);
      const values = { id, subject: subjectOf(before), fields };
      if (fields !== '') await this.#log(transaction, admin, 'routing.rule_updated', values);
      return after;
    });
  }

  removeRule(admin: UserRow, id: number): Promise<void> {
    return this.#changing(async (routing, transaction) => {
      const before = found(await routing.ruleLocked(id));
      await this.#dependencies.managed.rejectRow(transaction, 'routingRule', id);
      await routing.remove('routing_rules', id);
      const values = { id, subject: subjectOf(before), fields: fieldsText(before) };
      await this.#log(transaction, admin, 'routing.rule_deleted', values);
    });
  }

  createAlias(admin: UserRow, alias: AliasFields): Promise<ModelAlias> {
    return this.#changing(async (routing, transaction) => {
      rejectAboveLimit(await routing.count('model_aliases'));
      const made = await routing.insertAlias(alias, nowInSeconds());
      const values = { id: made.id, name: made.pattern, model: made.model };
      await this.#log(transaction, admin, 'routing.alias_created', values);
      return made;
    });
  }

  updateAlias(admin: UserRow, { id, ...alias }: AliasFields & { readonly id: number }): Promise<ModelAlias> {
    return this.#changing(async (routing, transaction) => {
      const before = found(await routing.aliasLocked(id));
      await this.#dependencies.managed.rejectRow(transaction, 'modelAlias', id);
      const after = await routing.updateAlias(id, alias);
      const changes = (['pattern', 'model'] as const)
        .filter((field) => before[field] !== after[field])
        .map((field) => changeText(valueChange(field, before[field], after[field])));
      const values = { id, name: before.pattern, fields: changes.join('; ') };
      if (changes.length > 0) await this.#log(transaction, admin, 'routing.alias_updated', values);
      return after;
    });
  }

  removeAlias(admin: UserRow, id: number): Promise<void> {
    return this.#changing(async (routing, transaction) => {
      const before = found(await routing.aliasLocked(id));
      await this.#dependencies.managed.rejectRow(transaction, 'modelAlias', id);
      await routing.remove('model_aliases', id);
      const values = { id, name: before.pattern, model: before.model };
      await this.#log(transaction, admin, 'routing.alias_deleted', values);
    });
  }

  #changing<T>(work: (routing: RoutingRepository, transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#dependencies.inTransaction(async (transaction) => {
      const result = await work(this.#routing.within(transaction), transaction);
      transaction.changed('routing');
      return result;
    });
  }

  async #log(
    transaction: Transaction,
    admin: UserRow,
    event: Event,
    values: Readonly<Record<string, string | number>>,
  ): Promise<void> {
    await this.#dependencies.logs.record(transaction, adminEvent(admin, event, values));
  }
}

const logText = [
  ...(['strategy', 'affinity', 'fits_window', 'hedge_ms', 'fallbacks'] as const),
  ...(['split_model', 'split_tag', 'split_percent', 'split_own_price'] as const),
  ...(['mirror_model', 'mirror_channel', 'mirror_percent'] as const),
] as const;

const fieldsText = (rule: RoutingRule): string =>
  logText
    .filter((field) => `${rule.split_model}${rule.split_tag}` !== '' || !field.startsWith('split_'))
    .filter((field) => rule.mirror_percent > 0 || !field.startsWith('mirror_'))
    .map((field) => `${field} ${rule[field] || '–'}`)
    .join('; ');

const differences = (before: RoutingRule, after: RoutingRule): string =>
  (['group', 'model', ...logText] as const)
    .filter((field) => before[field] !== after[field])
    .map((field) => changeText(changeOf(field, before, after)))
    .join('; ');

const changeOf = (field: keyof RuleFields, before: RoutingRule, after: RoutingRule) =>
  field === 'fallbacks'
    ? listChange(field, before.fallbacks, after.fallbacks)
    : valueChange(field, before[field], after[field]);

/** Group and model as a pattern. */
const subjectOf = ({ group, model }: RoutingRule): string => `${group || '*'} / ${model || '*'}`;

const bySpecificity = (one: RoutingRule, other: RoutingRule): number =>
  specificityOf(one.model || '*', other.model || '*') || Number(other.group !== '') - Number(one.group !== '');

const specificityOf = (one: string, other: string): number =>
  Number(isMoreSpecific(other, one)) - Number(isMoreSpecific(one, other));

function rejectAboveLimit(count: number): void {
  if (count >= maxRoutingRules) throw new ApiError('tooManyRoutingRules', { limit: String(maxRoutingRules) });
}

function found<Row>(row: Row | undefined): Row {
  if (!row) throw new ApiError('notFound');
  return row;
}
