import { setTimeout as sleep } from 'node:timers/promises';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { LogService } from '../../records/logs/log-service.ts';
import type { Balance } from '../../records/totals/rollup-batch.ts';
import type { UpstreamResponseRepository } from '../upstream-responses/upstream-response-repository.ts';
import type { ChargeJournalRepository } from './charge-journal-repository.ts';
import { sumBy, sumByPeriod } from './charge-sums.ts';
import { type Charge, type ChargeBatch, isPermanentlyRejected, withoutTexts } from './charge-writer.ts';
import { parseJournalEntry, type UnreadableEntry } from './journal-entry.ts';
import type { SettlementRepository } from './settlement-repository.ts';

interface ChargeStoreDependencies {
  readonly settlements: SettlementRepository;
  readonly logs: LogService;
  readonly keptResponses: UpstreamResponseRepository;
  readonly journal: ChargeJournalRepository;
  readonly inTransaction: InTransaction;
  readonly onFailure: (error: unknown) => void;
  /** Called for a journal entry that cannot be read. The entry was set aside and its charges were not applied. */
  readonly onUnreadable: (entry: UnreadableEntry) => void;
}

const retryAfterMs = 200;
const entriesAtOnce = 100;

/** Stores charges on SQLite and retries until it succeeds. A response ends only after its charge is durable. */
export class ChargeStore {
  readonly #dependencies: ChargeStoreDependencies;

  constructor(dependencies: ChargeStoreDependencies) {
    this.#dependencies = dependencies;
  }

  /** Makes the charges durable in the journal and returns the entry id. */
  async journal(charges: readonly Charge[]): Promise<number> {
    const { journal, onFailure } = this.#dependencies;
    for (;;) {
      try {
        return await journal.append(charges);
      } catch (error) {
        onFailure(error);
        await sleep(retryAfterMs);
      }
    }
  }

  /** Writes charges to the tables and returns the new balances. */
  async store(groups: readonly ChargeBatch[]): Promise<readonly Balance[]> {
    for (;;) {
      try {
        return await this.#dependencies.inTransaction(async (transaction) =>
          this.#writeAll(transaction, await this.#outstanding(transaction, groups)),
        );
      } catch (error) {
        this.#dependencies.onFailure(error);
        await sleep(retryAfterMs);
        if (isPermanentlyRejected(error)) return this.#storeSingly(groups);
      }
    }
  }

  /** Writes the journal entries of a killed process to the tables. */
  async recover(): Promise<void> {
    const { journal, inTransaction } = this.#dependencies;
    for (;;) {
      const { found, unreadable } = await inTransaction(async (transaction) => {
        const entries = await journal.within(transaction).takeOldest(entriesAtOnce);
        const read = entries.map(parseJournalEntry);
        const aside = read.filter((each) => 'reason' in each);
        for (const each of aside) await journal.within(transaction).setAside(each);
        await this.#writeAll(
          transaction,
          read.flatMap((each) => ('reason' in each ? [] : each)),
        );
        return { found: entries.length, unreadable: aside };
      });
      for (const each of unreadable) this.#dependencies.onUnreadable(each);
      if (found === 0) return;
    }
  }

  /** Charges that are not in the tables yet. Another process may have recovered some of them at its start. */
  async #outstanding(transaction: Transaction, groups: readonly ChargeBatch[]): Promise<readonly Charge[]> {
    const entries = groups.flatMap(({ entry }) => entry ?? []);
    const [first, last] = [entries[0], entries.at(-1)];
    if (first === undefined || last === undefined) return groups.flatMap(({ charges }) => charges);
    const taken = await this.#dependencies.journal.within(transaction).take(first, last);
    return groups.flatMap(({ entry, charges }) => (entry === undefined || taken.has(entry) ? charges : []));
  }

  /**
   * Called if a batch contains a value that the database rejects. Stores the charges one by one, and the rejected one
   * without its texts, so that it is still charged.
   */
  async #storeSingly(groups: readonly ChargeBatch[]): Promise<readonly Balance[]> {
    const [first] = groups;
    if (groups.length === 1 && first) {
      return this.store([{ ...first, charges: first.charges.map(withoutTexts) }]);
    }
    const balances: Balance[] = [];
    for (const group of groups) balances.push(...(await this.store([group])));
    return balances;
  }

  async #writeAll(transaction: Transaction, all: readonly Charge[]): Promise<readonly Balance[]> {
    const settlements = this.#dependencies.settlements.within(transaction);
    const balances: Balance[] = [];
    for (const spending of sumBy(all, ({ user }) => user)) {
      const left = await settlements.spendOfUser(spending);
      balances.push({ userId: spending.id, before: left + spending.quota - spending.planned, left });
    }
    for (const spending of sumBy(all, ({ token }) => token)) await settlements.spendOfToken(spending, nowInSeconds());
    for (const spending of sumByPeriod(all)) await settlements.spendOfBudget(spending);
    const delivered = all.filter(({ channel }) => channel !== 0);
    for (const spending of sumBy(delivered, ({ channel }) => channel)) await settlements.spendOnChannel(spending);
    await this.#dependencies.logs.recordRequests(
      transaction,
      all.flatMap(({ record }) => record ?? []),
    );
    await this.#dependencies.keptResponses.within(transaction).add(all.flatMap(({ kept }) => kept ?? []));
    return balances;
  }
}
