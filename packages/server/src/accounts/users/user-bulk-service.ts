import { type BulkReport, maxBulkRows, type Parsed, type UserBulkChange, type userBulkApi } from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError, type Language } from '../../platform/errors/api-error.ts';
import { type ManagedGuard, managedByFileError } from '../../platform/managed/managed-guard.ts';
import {
  bulkReport,
  hasChanges,
  missingRows,
  planBulkRow,
  requireExpectedCount,
  requireUnchangedPlan,
} from '../../records/bulk/bulk-plan.ts';
import type { BulkRunService } from '../../records/bulk/bulk-run-service.ts';
import type { LogService } from '../../records/logs/log-service.ts';
import { bulkLogEntries, planUser, planUserUndo, type UserPlan, userUndoRows } from './user-bulk-plan.ts';
import type { UserBulkRepository, UserSelection } from './user-bulk-repository.ts';

type BulkRequest = Parsed<typeof userBulkApi.run>['body'];

interface UserBulkDependencies {
  readonly bulk: UserBulkRepository;
  readonly runs: BulkRunService;
  readonly logs: LogService;
  readonly inTransaction: InTransaction;
  readonly managed: ManagedGuard;
}

const subject = 'user';

/** Bulk edits of users in one transaction. The actor needs a higher role than each user. */
export class UserBulkService {
  readonly #dependencies: UserBulkDependencies;

  constructor(dependencies: UserBulkDependencies) {
    this.#dependencies = dependencies;
  }

  async run(actor: UserRow, order: BulkRequest, language: Language): Promise<BulkReport> {
    const { inTransaction } = this.#dependencies;
    if (order.preview) return bulkReport(await this.#plan(undefined, actor, order), language);
    return inTransaction(async (transaction) => {
      const plan = await this.#plan(transaction, actor, order);
      requireUnchangedPlan(plan, order.digest);
      const undo = await this.#applyStatus(transaction, actor, plan.filter(hasChanges), order.change);
      return bulkReport(plan, language, undo);
    });
  }

  /** Restores groups and statuses; rejected if one of the users has changed since. */
  async undo(actor: UserRow, id: string, language: Language): Promise<BulkReport> {
    const { bulk, runs, inTransaction, managed } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const kept = await runs.take(transaction, subject, id);
      if (!kept) throw new ApiError('undoGone');
      for (const row of kept) await managed.rejectRow(transaction, 'user', row.id);
      const rows = await bulk.within(transaction).lock({ ids: kept.map((row) => row.id) });
      const plan = planUserUndo(actor, rows, kept);
      await this.#write(transaction, actor, plan);
      return bulkReport(plan, language);
    });
  }

  /** Previews without a transaction. */
  async #plan(transaction: Transaction | undefined, actor: UserRow, order: BulkRequest): Promise<UserPlan[]> {
    const { logs } = this.#dependencies;
    const bulk = transaction ? this.#dependencies.bulk.within(transaction) : this.#dependencies.bulk;
    const { chosen, change } = order;
    const isManaged = await this.#managed(transaction, change);
    const rows = await bulk[transaction ? 'lock' : 'read'](chosenUsers(chosen));
    if (rows.length > maxBulkRows) throw new ApiError('tooManyBulkRows', { max: String(maxBulkRows) });
    if ('count' in chosen) requireExpectedCount(rows.length, chosen.count);
    const tokens = change.kind === 'tokens_off' ? await bulk.activeTokens(rows.map(({ id }) => id)) : new Map();
    const missing = 'ids' in chosen ? missingRows(chosen.ids, rows) : [];
    const plans = rows.map((row) =>
      planBulkRow({ id: row.id, name: row.username }, () => {
        if (isManaged.has(row.id)) throw managedByFileError(row.username);
        return planUser(actor, row, change, { tokens: tokens.get(row.id) ?? 0, amount: (quota) => logs.amount(quota) });
      }),
    );
    return [...plans, ...missing];
  }

  /** Users managed by the configuration file; quota and tokens are never managed by it. */
  async #managed(transaction: Transaction | undefined, { kind }: UserBulkChange): Promise<ReadonlySet<number>> {
    if (kind !== 'status' && kind !== 'group') return new Set();
    return await this.#dependencies.managed.rows('user', transaction);
  }

  async #applyStatus(transaction: Transaction, actor: UserRow, plan: readonly UserPlan[], change: UserBulkChange) {
    const { bulk, runs, logs } = this.#dependencies;
    if (plan.length === 0) return '';
    const ids = plan.map(({ id }) => id);
    if (change.kind === 'quota') await bulk.within(transaction).credit(ids, change.amount);
    if (change.kind === 'tokens_off') {
      for (const id of await bulk.within(transaction).disableTokens(ids)) transaction.changed(`token:${id}`);
    }
    if (change.kind === 'status' || change.kind === 'group') {
      const undo = plan.flatMap(userUndoRows);
      await this.#write(transaction, actor, plan);
      return runs.keep(transaction, subject, undo);
    }
    const records = plan.flatMap((each) => bulkLogEntries(actor, each, change, (quota) => logs.amount(quota)));
    await logs.recordBulk(transaction, { event: 'user.bulk', admin: actor }, records);
    for (const id of ids) transaction.changed(`user:${id}`);
    return '';
  }

  /** Writes groups and statuses and ends the sessions of banned users. */
  async #write(transaction: Transaction, actor: UserRow, plan: readonly UserPlan[]): Promise<void> {
    const { bulk, logs } = this.#dependencies;
    const written = plan.flatMap(({ id, columns }) => (columns ? [{ id, columns }] : []));
    await bulk.within(transaction).update(written);
    const banned = plan.flatMap(({ id, isBanned }) => (isBanned ? [id] : []));
    if (banned.length > 0) await bulk.within(transaction).endSessions(banned);
    const records = plan.flatMap((each) => bulkLogEntries(actor, each, undefined, (quota) => logs.amount(quota)));
    await logs.recordBulk(transaction, { event: 'user.bulk', admin: actor }, records);
    for (const { id } of written) transaction.changed(`user:${id}`);
  }
}

const chosenUsers = (chosen: BulkRequest['chosen']): UserSelection =>
  'ids' in chosen ? { ids: chosen.ids } : { query: chosen.filter };
