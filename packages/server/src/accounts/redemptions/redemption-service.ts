import { randomBytes } from 'node:crypto';
import { logType, type Parsed, type Redemption, type redemptionApi, redemptionStatus } from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { OptionService } from '../../platform/options/option-service.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { hashSecret, type SecretBox } from '../../platform/secrets/secret-box.ts';
import { adminEvent, type LogService } from '../../records/logs/log-service.ts';
import type { UserService } from '../users/user-service.ts';
import {
  presentRedemption,
  type RedemptionListing,
  type RedemptionRepository,
  type RedemptionRow,
} from './redemption-repository.ts';

type Creation = Parsed<typeof redemptionApi.create>['body'];
type Update = Parsed<typeof redemptionApi.update>['body'];

/** 32 hexadecimal digits. */
const keyBytes = 16;

/** Account that receives the quota of a code. */
interface Recipient {
  readonly id: number;
  readonly username: string;
}

/** For a code that a member redeems for an organization. */
interface OnBehalf {
  readonly by: Recipient;
  /** Throws unless the member may redeem codes for the organization. */
  readonly permit: (transaction: Transaction) => Promise<void>;
}

/** Plans that codes grant. */
interface CodePlans {
  /** Throws if there is no such plan. */
  require(transaction: Transaction, planId: number): Promise<void>;
  /** Returns the name of the granted plan. */
  redeem(transaction: Transaction, userId: number, planId: number): Promise<string>;
}

interface RedemptionServiceDependencies {
  readonly redemptions: RedemptionRepository;
  readonly users: UserService;
  readonly plans: CodePlans;
  readonly logs: LogService;
  readonly options: OptionService;
  readonly box: SecretBox;
  readonly inTransaction: InTransaction;
}

/** Redemption codes, each worth an amount of quota or a plan, for one or several users. */
export class RedemptionService {
  readonly #redemptions: RedemptionRepository;
  readonly #dependencies: RedemptionServiceDependencies;

  constructor(dependencies: RedemptionServiceDependencies) {
    this.#redemptions = dependencies.redemptions;
    this.#dependencies = dependencies;
  }

  async page(listing: RedemptionListing): Promise<{ rows: Redemption[]; total: number }> {
    const { rows, total } = await this.#redemptions.page(listing);
    return { rows: rows.map((row) => this.#present(row)), total };
  }

  async counts(): Promise<Record<string, number>> {
    const counted = await this.#redemptions.countByStatus();
    return Object.fromEntries(counted.map(({ status, count }) => [status, count]));
  }

  async get(id: number): Promise<Redemption> {
    return this.#present(found(await this.#redemptions.find(id)));
  }

  /** Creates all codes or none and returns them. */
  create(admin: UserRow, { name, quota, count, expired_time, max_uses, plan_id }: Creation): Promise<string[]> {
    const { RedemptionBatchLimit: limit } = this.#dependencies.options.values;
    if (count > limit) throw new ApiError('tooManyRedemptions', { limit: String(limit) });
    const keys = Array.from({ length: count }, () => randomBytes(keyBytes).toString('hex'));
    return this.#dependencies.inTransaction(async (transaction) => {
      if (plan_id > 0) await this.#dependencies.plans.require(transaction, plan_id);
      const codes = keys.map((key) => ({
        user_id: admin.id,
        key_hash: hashSecret(key),
        key_sealed: this.#dependencies.box.seal(key),
        status: redemptionStatus.unused,
        name,
        quota,
        created_time: nowInSeconds(),
        redeemed_time: 0,
        redeemed_user_id: 0,
        expired_time,
        max_uses,
        plan_id,
      }));
      await this.#redemptions.within(transaction).insert(codes);
      const amount = this.#dependencies.logs.amount(quota);
      await this.#log(transaction, admin, 'redemption.created', { count, name, amount });
      return keys;
    });
  }

  /** Rejects changes to a used-up code, which would alter history or allow a second use. */
  update(admin: UserRow, { id, ...change }: Update): Promise<Redemption> {
    return this.#dependencies.inTransaction(async (transaction) => {
      const redemptions = this.#redemptions.within(transaction);
      const before = found(await redemptions.findLocked(id));
      requireValidChange(before, change);
      if (Object.keys(change).length === 0) return this.#present(before);
      const after = await redemptions.update(id, change);
      const fields = this.#differences(before, after);
      if (fields !== '') await this.#log(transaction, admin, 'redemption.updated', { id, fields });
      return this.#present(after);
    });
  }

  /** Enables or disables a code and changes nothing else. */
  updateStatus(admin: UserRow, { id, status }: Update): Promise<Redemption> {
    if (status === undefined) throw new ApiError('badInput', { detail: 'status' });
    return this.update(admin, { id, status });
  }

  remove(admin: UserRow, id: number): Promise<void> {
    return this.#dependencies.inTransaction(async (transaction) => {
      if (!(await this.#redemptions.within(transaction).remove(id))) throw new ApiError('notFound');
      await this.#log(transaction, admin, 'redemption.deleted', { id });
    });
  }

  /** Adds the code's quota to the account and returns the amount; 0 if the code granted a plan. */
  redeem(user: Recipient, key: string, member?: OnBehalf): Promise<number> {
    const given = key.trim();
    if (given === '') throw new ApiError('noRedemptionCode');
    return this.#dependencies.inTransaction(async (transaction) => {
      await member?.permit(transaction);
      const redemptions = this.#redemptions.within(transaction);
      const hash = hashSecret(given);
      const now = nowInSeconds();
      const taken = await redemptions.take(hash, user.id, now);
      if (!taken) throw redemptionError(await redemptions.findByKeyHash(hash), now);
      const { id, quota } = taken;
      const { id: userId } = member?.by ?? user;
      const use = { redemption_id: id, user_id: userId, account_id: user.id, quota, created_time: now };
      if (!(await redemptions.rememberUse(use))) throw new ApiError('ownRedemptionCodeUsed');
      if (taken.plan_id > 0 && member) throw new ApiError('planCodeOfUsers');
      await this.#deliver(transaction, user, taken, member);
      return quota;
    });
  }

  async #deliver(transaction: Transaction, user: Recipient, code: RedemptionRow, member?: OnBehalf): Promise<void> {
    const { users, logs, plans } = this.#dependencies;
    const { id, quota, plan_id } = code;
    // The id is not part of the message, but the code's history is looked up by it. The member is for audits.
    const common = { id, ...(member && { by: member.by.username }) };
    if (plan_id > 0) {
      const plan = await plans.redeem(transaction, user.id, plan_id);
      const values = { plan, ...common };
      return logs.record(transaction, { type: logType.topUp, event: 'plan.redeemed', user, values });
    }
    await users.credit(transaction, user.id, quota);
    const values = { amount: logs.amount(quota), ...common };
    await logs.record(transaction, { type: logType.topUp, event: 'user.redeemed', user, values, quota });
  }

  /** Changed fields with old and new values. */
  #differences(before: RedemptionRow, after: RedemptionRow): string {
    const { logs } = this.#dependencies;
    const changes = [
      after.name !== before.name && `name ${before.name} → ${after.name}`,
      after.quota !== before.quota && `quota ${logs.amount(before.quota)} → ${logs.amount(after.quota)}`,
      after.expired_time !== before.expired_time && `expired_time ${before.expired_time} → ${after.expired_time}`,
      after.max_uses !== before.max_uses && `max_uses ${before.max_uses} → ${after.max_uses}`,
      after.status !== before.status && `status ${before.status} → ${after.status}`,
    ];
    return changes.filter(Boolean).join(', ');
  }

  async #log(
    transaction: Transaction,
    admin: UserRow,
    event: 'redemption.created' | 'redemption.updated' | 'redemption.deleted',
    values: Readonly<Record<string, string | number>>,
  ): Promise<void> {
    await this.#dependencies.logs.record(transaction, adminEvent(admin, event, values));
  }

  #present(row: RedemptionRow): Redemption {
    return presentRedemption(row, this.#dependencies.box);
  }
}

function requireValidChange(before: RedemptionRow, change: Omit<Update, 'id'>): void {
  const { status, quota, max_uses } = change;
  if (before.status === redemptionStatus.used) throw new ApiError('redemptionIsUsed');
  if (status === redemptionStatus.used) throw new ApiError('badInput', { detail: 'status' });
  if (quota !== undefined && before.plan_id > 0) throw new ApiError('badInput', { detail: 'quota' });
  // A code without remaining uses has the status used.
  if (max_uses !== undefined && max_uses <= before.use_count) throw new ApiError('badInput', { detail: 'max_uses' });
}

function found(row: RedemptionRow | undefined): RedemptionRow {
  if (!row) throw new ApiError('notFound');
  return row;
}

/** The reason why a code could not be redeemed. */
function redemptionError(code: RedemptionRow | undefined, now: number): ApiError {
  if (!code) return new ApiError('unknownRedemptionCode');
  if (code.status === redemptionStatus.disabled) return new ApiError('disabledRedemptionCode');
  if (code.status === redemptionStatus.unused && code.expired_time > 0 && code.expired_time <= now)
    return new ApiError('expiredRedemptionCode');
  return new ApiError('usedRedemptionCode');
}
