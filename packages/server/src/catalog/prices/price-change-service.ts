import {
  optionRow,
  type PriceChange,
  type PriceOptionKey,
  type PriceSource,
  priceOptionKeys,
  type Ratios,
} from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import type { ManagedGuard } from '../../platform/managed/managed-guard.ts';
import { requireParsable, requireRole } from '../../platform/options/option-checks.ts';
import type { LogService } from '../../records/logs/log-service.ts';
import { optionAuditEvent } from '../../records/logs/option-audit-event.ts';
import { applyPrices } from './entered-price.ts';
import { applyRatios, type PriceEntry, type PriceRatios, rescaleEntries, toPriceRatios } from './price-entries.ts';
import type { PriceRepository, StoredPrices } from './price-repository.ts';
import { changedRatios } from './ratio-lists.ts';

interface PriceChangeServiceDependencies {
  readonly prices: PriceRepository;
  /** Serializes price and option changes, because one option sets the quota per dollar. */
  readonly options: { within(transaction: Transaction): { lock(): Promise<void> } };
  readonly logs: LogService;
  readonly managed: ManagedGuard;
  readonly inTransaction: InTransaction;
  /** Source of dollar prices. */
  readonly source: PriceSource;
}

/** Changes saved prices: validates, stores, then applies them on every node. */
export class PriceChangeService {
  readonly #dependencies: PriceChangeServiceDependencies;

  constructor(dependencies: PriceChangeServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** In dollars; returns the number of models whose price changed. */
  save(admin: UserRow, changes: readonly PriceChange[], source = this.#dependencies.source): Promise<number> {
    return this.#change(admin, source, ({ rows, quotaPerUnit }) => applyPrices(rows, changes, quotaPerUnit));
  }

  /** Writes a ratio option. */
  async setRatios(admin: UserRow, key: PriceOptionKey, ratios: Ratios): Promise<void> {
    await this.#change(admin, 'options', ({ rows, quotaPerUnit }) => {
      const before = toPriceRatios(rows, quotaPerUnit);
      return applyRatios(rows, key, changedRatios(key, ratios, before), quotaPerUnit);
    });
  }

  /** Called when QuotaPerUnit changes: ratios, and therefore charges, stay the same. */
  async rescale(transaction: Transaction, admin: UserRow, before: number, after: number): Promise<void> {
    const prices = this.#dependencies.prices.within(transaction);
    const { rows } = await prices.stored();
    const changed = await prices.replace(rows, rescaleEntries(rows, before, after), authorOf(admin, 'options'));
    if (changed.size > 0) transaction.changed('prices');
  }

  #change(
    admin: UserRow,
    source: PriceSource,
    change: (stored: StoredPrices) => readonly PriceEntry[],
  ): Promise<number> {
    const { inTransaction, options, managed } = this.#dependencies;
    return inTransaction(async (transaction) => {
      await options.within(transaction).lock();
      const prices = this.#dependencies.prices.within(transaction);
      const stored = await prices.stored();
      const entries = change(stored);
      const before = toPriceRatios(stored.rows, stored.quotaPerUnit);
      await this.#record(transaction, admin, before, toPriceRatios(entries, stored.quotaPerUnit));
      const changed = await prices.replace(stored.rows, entries, authorOf(admin, source));
      await managed.rejectNames(transaction, 'model', [...changed]);
      if (changed.size > 0) transaction.changed('prices');
      return changed.size;
    });
  }

  /** Price changes are logged as changes of the options that show them. */
  async #record(transaction: Transaction, admin: UserRow, before: PriceRatios, after: PriceRatios): Promise<void> {
    for (const key of priceOptionKeys) {
      const { format } = optionRow(key);
      const texts = { key, before: format(before[key]), after: format(after[key]) };
      if (texts.before === texts.after) continue;
      requireRole(admin, key);
      requireParsable(key, texts.after);
      await this.#dependencies.logs.record(transaction, optionAuditEvent(admin, texts));
    }
  }
}

const authorOf = ({ username }: UserRow, source: PriceSource) => ({ username, source });
