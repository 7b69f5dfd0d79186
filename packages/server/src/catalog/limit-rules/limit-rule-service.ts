import {
  isCountedMeasure,
  type LimitMeasure,
  type LimitRule,
  type limitRuleApi,
  matchesAnyValue,
  maxLimitRules,
  type OwnLimit,
  type Parsed,
  splitCommas,
} from '@headgate/contract';
import { requireHigherRole } from '../../accounts/users/user-authority.ts';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { ManagedGuard } from '../../platform/managed/managed-guard.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { adminEvent, type LogService } from '../../records/logs/log-service.ts';
import type { LimitListing, LimitRuleRepository, LimitRuleRow, RuleSubject } from './limit-rule-repository.ts';
import { formatLimit } from './limit-text.ts';

type Creation = Parsed<typeof limitRuleApi.create>['body'];
type Update = Parsed<typeof limitRuleApi.update>['body'];
type Fields = Creation;
type NamedRow = NonNullable<Awaited<ReturnType<LimitRuleRepository['find']>>>;

interface LimitRuleServiceDependencies {
  readonly rules: LimitRuleRepository;
  readonly logs: LogService;
  readonly inTransaction: InTransaction;
  readonly managed: ManagedGuard;
  /** Current usage on this node by rule id, as far as it is tracked here. */
  readonly usedOf: (rules: readonly number[]) => ReadonlyMap<number, number>;
}

/** Limit rules: validated, stored, sent to every node and logged with their previous values. */
export class LimitRuleService {
  readonly #dependencies: LimitRuleServiceDependencies;

  constructor(dependencies: LimitRuleServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** The same service as part of a transaction. */
  within(transaction: Transaction): LimitRuleService {
    const rules = this.#dependencies.rules.within(transaction);
    return new LimitRuleService({ ...this.#dependencies, rules, inTransaction: (work) => work(transaction) });
  }

  /** Enabled rules of exactly this token or user, for all groups and models; lowest amount first. */
  idsOfSubject(subject: RuleSubject, measure: LimitMeasure): Promise<number[]> {
    return this.#dependencies.rules.idsOfSubject(subject, measure);
  }

  async page(listing: LimitListing): Promise<{ rows: LimitRule[]; total: number }> {
    const { rows, total } = await this.#dependencies.rules.page(listing);
    return { rows: this.#present(rows), total };
  }

  async get(id: number): Promise<LimitRule> {
    const rule = await this.findById(id);
    if (!rule) throw new ApiError('notFound');
    return rule;
  }

  async findById(id: number): Promise<LimitRule | undefined> {
    const row = await this.#dependencies.rules.find(id);
    return row && this.#present([row])[0];
  }

  idsNoted(note: string): Promise<number[]> {
    return this.#dependencies.rules.idsNoted(note);
  }

  /** Limits visible to a user: of the user's groups, account and tokens, not of channels. */
  async own(user: Pick<UserRow, 'id' | 'group'>): Promise<OwnLimit[]> {
    const { rules } = this.#dependencies;
    const [all, tokens] = await Promise.all([rules.enabled(), rules.tokensOf(user.id)]);
    const groups = splitCommas(user.group);
    // A limit for one value of a tag may name another customer.
    const isHis = ({ channel_id, user_id, token_id, group, tag }: LimitRuleRow) =>
      channel_id === 0 &&
      (tag === '' || matchesAnyValue(tag) || user_id + token_id > 0) &&
      (user_id === 0 || user_id === user.id) &&
      (token_id === 0 || tokens.has(token_id)) &&
      (group === '' || groups.includes(group));
    return all.filter(isHis).map(({ id, token_id, user_id, group, model, tag, measure, amount, counts_per }) => ({
      ...{ id, token_id, user_id, group, model, tag, measure, amount, counts_per },
      token_name: tokens.get(token_id) ?? '',
    }));
  }

  async create(admin: UserRow, fields: Creation): Promise<LimitRule> {
    const { rules, inTransaction } = this.#dependencies;
    const id = await inTransaction(async (transaction) => {
      const stored = rules.within(transaction);
      if ((await stored.count()) >= maxLimitRules) throw new ApiError('tooManyLimits', { max: String(maxLimitRules) });
      const row = { ...storedFields(fields), created_time: nowInSeconds() };
      await requireSubjects(stored, row);
      await requireAuthority(stored, admin, row);
      const created = await stored.insert(row);
      await this.#log(transaction, admin, 'limit.created', { id: created, limit: formatLimit(row) });
      transaction.changed('limits');
      return created;
    });
    return this.get(id);
  }

  async update(admin: UserRow, { id, ...change }: Update): Promise<LimitRule> {
    const { rules, inTransaction, managed } = this.#dependencies;
    await inTransaction(async (transaction) => {
      const stored = rules.within(transaction);
      const before = await stored.findLocked(id);
      if (!before) throw new ApiError('notFound');
      await requireAuthority(stored, admin, before);
      await managed.rejectRow(transaction, 'limit', id);
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
      const after = storedFields({ ...before, enabled: before.enabled === 1, ...given });
      const differences = differencesOf(before, after);
      if (differences === '') return;
      await requireSubjects(stored, after, before);
      await requireAuthority(stored, admin, after);
      await stored.update(id, after);
      await this.#log(transaction, admin, 'limit.updated', { id, fields: differences });
      transaction.changed('limits');
    });
    return this.get(id);
  }

  async remove(admin: UserRow, id: number): Promise<void> {
    const { rules, inTransaction, managed } = this.#dependencies;
    await inTransaction(async (transaction) => {
      const stored = rules.within(transaction);
      const before = await stored.findLocked(id);
      if (!before) throw new ApiError('notFound');
      await requireAuthority(stored, admin, before);
      await managed.rejectRow(transaction, 'limit', id);
      await stored.remove(id);
      await this.#log(transaction, admin, 'limit.deleted', { id, limit: formatLimit(before) });
      transaction.changed('limits');
    });
  }

  async #log(
    transaction: Transaction,
    admin: UserRow,
    event: 'limit.created' | 'limit.updated' | 'limit.deleted',
    values: Readonly<Record<string, string | number>>,
  ): Promise<void> {
    await this.#dependencies.logs.record(transaction, adminEvent(admin, event, values));
  }

  #present(rows: readonly NamedRow[]): LimitRule[] {
    const used = this.#dependencies.usedOf(rows.map(({ id }) => id));
    return rows.map((row) => ({
      ...row,
      enabled: row.enabled === 1,
      token_name: row.token_name ?? '',
      username: row.username ?? '',
      channel_name: row.channel_name ?? '',
      token_owner: row.token_owner ?? '',
      token_owner_id: row.token_owner_id ?? 0,
      gone: missingSubjectOf(row),
      used: used.get(row.id) ?? 0,
    }));
  }
}

/** Rejects a subject that does not exist. A leftover token of a deleted account is treated as missing. */
function missingSubjectOf(row: NamedRow): LimitRule['gone'] {
  const missing = {
    user: row.user_id !== 0 && row.username === null,
    token: row.token_id !== 0 && row.token_owner === null,
    channel: row.channel_id !== 0 && row.channel_name === null,
  };
  return subjects.filter((kind) => missing[kind]);
}

type StoredFields = Omit<LimitRuleRow, 'id' | 'created_time'>;

/** Per-request limits are not counted, so the count scope is always "all". */
function storedFields(fields: Fields): StoredFields {
  const { token_id, user_id, group, model, channel_id, tag, measure, amount, counts_per, note, enabled } = fields;
  if (counts_per === 'tag' && tag === '') throw new ApiError('badInput', { detail: 'tag' });
  const counting = isCountedMeasure(measure) ? counts_per : 'all';
  return {
    ...{ token_id, user_id, group, model, channel_id, tag, measure, amount, note },
    counts_per: counting,
    enabled: enabled ? 1 : 0,
  };
}

const subjects = ['user', 'token', 'channel'] as const;

/** Subjects must exist when a rule is created; one that is deleted later does not block other changes. */
async function requireSubjects(rules: LimitRuleRepository, rule: StoredFields, before?: StoredFields): Promise<void> {
  for (const kind of subjects) {
    const id = rule[`${kind}_id`];
    if (id === 0 || id === before?.[`${kind}_id`]) continue;
    if (!(await rules.exists(kind, id))) throw new ApiError('limitOfNobody');
  }
}

/**
 * Any admin may change rules without a user or token; other rules require a higher role than that of the users they
 * name.
 */
async function requireAuthority(
  rules: LimitRuleRepository,
  actor: UserRow,
  rule: Pick<StoredFields, 'user_id' | 'token_id'>,
): Promise<void> {
  if (rule.user_id === 0 && rule.token_id === 0) return;
  for (const owner of await rules.ownersOf(rule)) requireHigherRole(actor, owner, 'editEqualOrHigher');
}

/** Changed fields with old and new values. */
const differencesOf = (before: StoredFields, after: StoredFields): string =>
  (Object.keys(after) as (keyof StoredFields)[])
    .filter((name) => before[name] !== after[name])
    .map((name) => `${name} ${before[name] === '' ? '—' : before[name]} → ${after[name] === '' ? '—' : after[name]}`)
    .join(', ');
