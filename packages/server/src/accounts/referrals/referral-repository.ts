import { type PayoutState, payoutStateNames, userStatus } from '@headgate/contract';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { lockName } from '../../platform/db/locks.ts';
import { type PageRequest, readPage } from '../../platform/db/paging.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { sealedPrefix } from '../../platform/secrets/secret-box.ts';

export type ShareRow = Selectable<Schema['referral_shares']>;
type WithdrawalRow = Selectable<Schema['referral_withdrawals']>;

/** Larger than the difference between the clocks of nodes, in seconds. */
const clockTolerance = 3600;

export class ReferralRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): ReferralRepository {
    return new ReferralRepository(transaction.database);
  }

  /** Serializes changes of an inviter's shares and withdrawals until the transaction ends. */
  lock(inviterId: number): Promise<void> {
    return lockName(this.#database, `referral ${inviterId}`);
  }

  /** Undefined if the user was not invited, or the inviter was banned or deleted. */
  async enabledInviterOf(userId: number): Promise<number | undefined> {
    const row = await this.#database
      .selectFrom('users')
      .innerJoin('users as inviters', 'inviters.id', 'users.inviter_id')
      .select('inviters.id')
      .where('users.id', '=', userId)
      .where('inviters.status', '=', userStatus.enabled)
      .executeTakeFirst();
    return row?.id;
  }

  /** Restarts the waiting periods of an inviter's shares that were stored by a clock that was ahead. */
  async limitWaits(inviterId: number, now: number): Promise<void> {
    await this.#database
      .updateTable('referral_shares')
      .set({ created_time: now, available_time: sql`available_time - created_time + ${now}` })
      .where('inviter_id', '=', inviterId)
      .where('created_time', '>', now + clockTolerance)
      .execute();
  }

  ofOrder(orderId: number): Promise<ShareRow | undefined> {
    return this.#database.selectFrom('referral_shares').selectAll().where('order_id', '=', orderId).executeTakeFirst();
  }

  async insert(share: Insertable<Schema['referral_shares']>): Promise<void> {
    await this.#database.insertInto('referral_shares').values(share).execute();
  }

  async setQuota(id: number, quota: number): Promise<void> {
    await this.#database.updateTable('referral_shares').set({ quota }).where('id', '=', id).execute();
  }

  /** Sum of the shares of an invited user, without those of one order. */
  async sumOfInvited(invitedId: number, exceptOrder: number): Promise<number> {
    const { sum } = await this.#database
      .selectFrom('referral_shares')
      .select(({ fn }) => fn.coalesce(fn.sum<number>('quota'), sql.lit(0)).as('sum'))
      .where('invited_id', '=', invitedId)
      .where('order_id', '!=', exceptOrder)
      .executeTakeFirstOrThrow();
    return Number(sum);
  }

  /** True if the account has paid another order. */
  async hasPaidBefore(accountId: number, orderId: number): Promise<boolean> {
    const row = await this.#database
      .selectFrom('orders')
      .select('id')
      .where('account_id', '=', accountId)
      .where('payment_id', '!=', '')
      .where('id', '!=', orderId)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  async countInvited(inviterId: number): Promise<number> {
    const { count } = await this.#database
      .selectFrom('users')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('inviter_id', '=', inviterId)
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  async shareSums(inviterId: number, now: number): Promise<{ waiting: number; available: number }> {
    const isWaiting = sql<boolean>`available_time > ${now}`;
    const row = await this.#database
      .selectFrom('referral_shares')
      .select([
        sql<number>`coalesce(sum(case when ${isWaiting} then quota else 0 end), 0)`.as('waiting'),
        sql<number>`coalesce(sum(case when ${isWaiting} then 0 else quota end), 0)`.as('available'),
      ])
      .where('inviter_id', '=', inviterId)
      .executeTakeFirstOrThrow();
    return { waiting: Number(row.waiting), available: Number(row.available) };
  }

  /** Sums of withdrawals by kind and state. */
  async withdrawalSums(userId: number) {
    const rows = await this.#database
      .selectFrom('referral_withdrawals')
      .select(({ fn }) => ['kind', 'state', fn.sum<number>('quota').as('sum')])
      .where('user_id', '=', userId)
      .groupBy(['kind', 'state'])
      .execute();
    const sumOf = (kind: WithdrawalRow['kind'], state: PayoutState) =>
      Number(rows.find((row) => row.kind === kind && row.state === state)?.sum ?? 0);
    return {
      transferred: sumOf('transfer', 'paid'),
      requested: sumOf('payout', 'requested'),
      paid_out: sumOf('payout', 'paid'),
    };
  }

  /** Newest first, with the names of the invited users. */
  shares(inviterId: number, page: PageRequest) {
    const query = this.#database
      .selectFrom('referral_shares')
      .innerJoin('users', 'users.id', 'referral_shares.invited_id')
      .selectAll('referral_shares')
      .select('users.username')
      .where('referral_shares.inviter_id', '=', inviterId);
    return readPage(query.orderBy('referral_shares.id', 'desc'), page);
  }

  async insertWithdrawal(withdrawal: Insertable<Schema['referral_withdrawals']>): Promise<void> {
    await this.#database.insertInto('referral_withdrawals').values(withdrawal).execute();
  }

  /** Newest first. */
  ownPayouts(userId: number, page: PageRequest) {
    const query = this.#payouts().where('user_id', '=', userId);
    return readPage(query.orderBy('referral_withdrawals.id', 'desc'), page);
  }

  /** Newest first. */
  payouts({ state, ...page }: PageRequest & { readonly state?: PayoutState | undefined }) {
    const all = this.#payouts();
    const query = state === undefined ? all : all.where('referral_withdrawals.state', '=', state);
    return readPage(query.orderBy('referral_withdrawals.id', 'desc'), page);
  }

  findPayout(id: number) {
    return this.#payouts().where('referral_withdrawals.id', '=', id).executeTakeFirst();
  }

  /** Withdrawals with details in plain text. */
  unsealed() {
    return this.#database
      .selectFrom('referral_withdrawals')
      .select(['id', 'details'])
      .where('details', '!=', '')
      .where('details', 'not like', `${sealedPrefix}%`)
      .execute();
  }

  async update(id: number, change: Updateable<Schema['referral_withdrawals']>): Promise<void> {
    await this.#database.updateTable('referral_withdrawals').set(change).where('id', '=', id).execute();
  }

  /** Payouts with a state of a later version are left to nodes that support it. */
  #payouts() {
    return this.#database
      .selectFrom('referral_withdrawals')
      .innerJoin('users', 'users.id', 'referral_withdrawals.user_id')
      .selectAll('referral_withdrawals')
      .select('users.username')
      .where('referral_withdrawals.kind', '=', 'payout')
      .where('referral_withdrawals.state', 'in', payoutStateNames);
  }
}
