import {
  type Budget,
  type budgetApi,
  type LimitRule,
  type limitRuleApi,
  type Parsed,
  type Policy,
  type PolicyMeasure,
  type PolicyPeriod,
  policyMeasures,
  policyPeriods,
  type Token,
  type tokenApi,
} from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';

/** A token or user by id. */
export interface PolicySubject {
  readonly kind: 'token' | 'user';
  readonly id: number;
}

type TokenCreation = Parsed<typeof tokenApi.create>['body'];
type TokenUpdate = Parsed<typeof tokenApi.update>['body'];

interface Tokens {
  createWithin(transaction: Transaction, owner: UserRow, creation: Omit<TokenCreation, 'policy'>): Promise<Token>;
  updateWithin(transaction: Transaction, owner: UserRow, update: Omit<TokenUpdate, 'policy'>): Promise<Token>;
  findWithin(transaction: Transaction, userId: number, id: number): Promise<Token>;
  rejectLockedOwner(transaction: Transaction, userId: number): Promise<void>;
}

interface Budgets {
  within(transaction: Transaction): {
    idOwnedBy(
      owner: { owner_kind: PolicySubject['kind']; owner_id: number; owner_group: string },
      period: PolicyPeriod,
    ): Promise<number | undefined>;
    create(actor: UserRow, creation: Parsed<typeof budgetApi.create>['body']): Promise<Budget>;
    update(actor: UserRow, update: Parsed<typeof budgetApi.update>['body']): Promise<Budget>;
    remove(actor: UserRow, id: number): Promise<void>;
  };
}

interface LimitRules {
  /** Enabled rules of exactly this subject and measure, lowest amount first. */
  idsOfSubject(subject: PolicySubject, measure: PolicyMeasure): Promise<number[]>;
  create(actor: UserRow, fields: Parsed<typeof limitRuleApi.create>['body']): Promise<LimitRule>;
  update(actor: UserRow, change: Parsed<typeof limitRuleApi.update>['body']): Promise<LimitRule>;
  remove(actor: UserRow, id: number): Promise<void>;
}

export interface PolicyLimits {
  within(transaction: Transaction): LimitRules;
}

interface PolicyServiceDependencies {
  readonly tokens: Tokens;
  readonly budgets: Budgets;
  readonly limitRules: PolicyLimits;
  readonly inTransaction: InTransaction;
}

/** Saves limits together with their token or user, atomically. */
export class PolicyService {
  readonly #dependencies: PolicyServiceDependencies;

  constructor(dependencies: PolicyServiceDependencies) {
    this.#dependencies = dependencies;
  }

  createToken(actor: UserRow, { policy, ...creation }: TokenCreation): Promise<Token> {
    const { tokens, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const token = await tokens.createWithin(transaction, actor, creation);
      // Last, because creating a token waits for an admin who is disabling all of them.
      await tokens.rejectLockedOwner(transaction, actor.id);
      await this.save(transaction, actor, { kind: 'token', id: token.id }, policy);
      return token;
    });
  }

  updateToken(actor: UserRow, { policy, ...update }: TokenUpdate): Promise<Token> {
    const { tokens, inTransaction } = this.#dependencies;
    const { id, ...change } = update;
    const isPolicyOnly = policy !== undefined && Object.values(change).every((value) => value === undefined);
    return inTransaction(async (transaction) => {
      const token = isPolicyOnly
        ? await tokens.findWithin(transaction, actor.id, id)
        : await tokens.updateWithin(transaction, actor, update);
      await this.save(transaction, actor, { kind: 'token', id }, policy);
      return token;
    });
  }

  /** Errors name the field. */
  async save(
    transaction: Transaction,
    actor: UserRow,
    subject: PolicySubject,
    policy: Policy | undefined,
  ): Promise<void> {
    if (!policy) return;
    for (const period of policyPeriods) {
      await atField(period, () => this.#saveBudget(transaction, actor, subject, { policy, period }));
    }
    for (const measure of policyMeasures) {
      await atField(measure, () => this.#saveRate(transaction, actor, subject, { policy, measure }));
    }
  }

  async #saveBudget(
    transaction: Transaction,
    actor: UserRow,
    { kind, id: owner_id }: PolicySubject,
    { policy, period }: { policy: Policy; period: PolicyPeriod },
  ): Promise<void> {
    const amount = policy[period];
    if (amount === undefined) return;
    const budgets = this.#dependencies.budgets.within(transaction);
    const id = await budgets.idOwnedBy({ owner_kind: kind, owner_id, owner_group: '' }, period);
    if (amount !== null && id === undefined) {
      const terms = { amount, period, time_zone: policy.time_zone, enabled: true, note: '' };
      await budgets.create(actor, { kind, owner_id, group: '', tag: '', ...terms });
    } else if (amount !== null && id !== undefined) await budgets.update(actor, { id, amount, enabled: true });
    else if (id !== undefined) await budgets.remove(actor, id);
  }

  async #saveRate(
    transaction: Transaction,
    actor: UserRow,
    subject: PolicySubject,
    { policy, measure }: { policy: Policy; measure: PolicyMeasure },
  ): Promise<void> {
    const amount = policy[measure];
    if (amount === undefined) return;
    const rules = this.#dependencies.limitRules.within(transaction);
    const [first, ...others] = await rules.idsOfSubject(subject, measure);
    const removed = amount === null && first !== undefined ? [first, ...others] : others;
    for (const id of removed) await rules.remove(actor, id);
    if (amount === null) return;
    if (first !== undefined) await rules.update(actor, { id: first, amount });
    else {
      const owner = { token_id: 0, user_id: 0, [`${subject.kind}_id`]: subject.id };
      const scope = { ...owner, group: '', model: '', channel_id: 0, tag: '' };
      await rules.create(actor, { ...scope, measure, amount, counts_per: 'all', note: '', enabled: true });
    }
  }
}

async function atField(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // The caller owns the token, so this is not about the roles of other users.
    const fault = error.code === 'editEqualOrHigher' ? new ApiError('limitsByAdminsOnly') : error;
    const text = { en: fault.messageIn('en'), zh: fault.messageIn('zh') };
    throw new ApiError('policyRejected', { field: `policy.${name}`, fault: text });
  }
}
