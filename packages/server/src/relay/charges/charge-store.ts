import { setTimeout as sleep } from 'node:timers/promises';
import { logType } from '@headgate/contract';
import { nowInSeconds } from '../../clock.ts';
import type { LogService } from '../../logs/log-service.ts';
import type { InTransaction, Transaction } from '../../transaction.ts';
import type { KeptResponseRepository } from '../kept/kept-response-repository.ts';
import type { Charge, ChargeGroup } from './charge.ts';
import type { ChargeGroupRepository } from './charge-group-repository.ts';
import type { ChargeJournalRepository } from './charge-journal-repository.ts';
import { readEntry, type UnreadableEntry } from './journal-entry.ts';
import type { Balance } from './quota-reminder.ts';
import type { SettlementRepository, Spending } from './settlement-repository.ts';

interface ChargeStoreDependencies {
  readonly settlements: SettlementRepository;
  readonly logs: LogService;
  readonly keptResponses: KeptResponseRepository;
  /** Undefined: charges go to the tables at once. */
  readonly journal: ChargeJournalRepository | undefined;
  /** Undefined: a commit is never in doubt. */
  readonly groups: ChargeGroupRepository | undefined;
  readonly inTransaction: InTransaction;
  readonly onFailure: (error: unknown) => void;
  /** An entry of the journal cannot be read: it was set aside, and its charges were not made. */
  readonly onUnreadable: (entry: UnreadableEntry) => void;
}

const retryAfterMs = 200;
const entriesAtOnce = 100;
/** How many groups are stored before those that are done with are forgotten. */
const groupsBeforeForgetting = 100;

/** Stores charges, however often that takes: nobody has seen the end of a reply before its charge is durable. */
export class ChargeStore {
  readonly #dependencies: ChargeStoreDependencies;
  #lastGroup = 0;

  constructor(dependencies: ChargeStoreDependencies) {
    this.#dependencies = dependencies;
  }

  get hasJournal(): boolean {
    return this.#dependencies.journal !== undefined;
  }

  /** Makes them durable, and no more; the number of their entry. */
  async journal(charges: readonly Charge[]): Promise<number> {
    const { journal, onFailure } = this.#dependencies;
    if (!journal) throw new Error('There is no journal.');
    for (;;) {
      try {
        return await journal.append(charges);
      } catch (error) {
        onFailure(error);
        await sleep(retryAfterMs);
      }
    }
  }

  /** Brings charges into the tables, and gives the balances after them. */
  async store(groups: readonly ChargeGroup[]): Promise<readonly Balance[]> {
    this.#lastGroup += 1;
    const number = this.#lastGroup;
    let balances: readonly Balance[] = [];
    for (;;) {
      try {
        await this.#dependencies.inTransaction(async (transaction) => {
          // The first that is done: a connection may break at a commit, and then this says what became of it.
          if (await this.#isStored(transaction, number)) return;
          balances = await this.#writeAll(transaction, await this.#outstanding(transaction, groups));
        });
        return balances;
      } catch (error) {
        this.#dependencies.onFailure(error);
        await sleep(retryAfterMs);
        if (isRefused(error)) return this.#storeSingly(groups);
      }
    }
  }

  /** Nothing more is stored. */
  async close(): Promise<void> {
    await this.#dependencies.groups?.forgetBefore(this.#lastGroup + 1);
  }

  /** Brings into the tables what a process that was killed had only in its journal. */
  async recover(): Promise<void> {
    const { journal, groups, inTransaction } = this.#dependencies;
    await groups?.forgetOld();
    while (journal) {
      const { found, unreadable } = await inTransaction(async (transaction) => {
        const entries = await journal.within(transaction).takeOldest(entriesAtOnce);
        const read = entries.map(readEntry);
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

  /** The charges that nobody else has brought into the tables: another process that starts recovers what it finds. */
  async #outstanding(transaction: Transaction, groups: readonly ChargeGroup[]): Promise<readonly Charge[]> {
    const entries = groups.flatMap(({ entry }) => entry ?? []);
    const [first, last] = [entries[0], entries.at(-1)];
    if (first === undefined || last === undefined) return groups.flatMap(({ charges }) => charges);
    const taken = await this.#dependencies.journal?.within(transaction).take(first, last);
    return groups.flatMap(({ entry, charges }) => (entry === undefined || taken?.has(entry) ? charges : []));
  }

  /** One of them cannot be written down as it is; the others need not wait for it, and it is charged all the same. */
  async #storeSingly(groups: readonly ChargeGroup[]): Promise<readonly Balance[]> {
    const [first] = groups;
    if (groups.length === 1 && first) {
      return this.store([{ ...first, charges: first.charges.map(withoutWords) }]);
    }
    const balances: Balance[] = [];
    for (const group of groups) balances.push(...(await this.store([group])));
    return balances;
  }

  /** Whether an earlier attempt was; unless it was, this one is, as soon as it is committed. */
  async #isStored(transaction: Transaction, number: number): Promise<boolean> {
    const groups = this.#dependencies.groups?.within(transaction);
    if (!groups) return false;
    if (!(await groups.add(number))) return true;
    // Groups are stored one after the other: those before are confirmed.
    if (number % groupsBeforeForgetting === 0) await groups.forgetBefore(number);
    return false;
  }

  async #writeAll(transaction: Transaction, all: readonly Charge[]): Promise<readonly Balance[]> {
    const settlements = this.#dependencies.settlements.within(transaction);
    const balances: Balance[] = [];
    for (const spending of sumBy(all, ({ user }) => user)) {
      const left = await settlements.spendOfUser(spending);
      balances.push({ userId: spending.id, before: left + spending.quota, left });
    }
    for (const isLimited of [true, false]) {
      const some = all.filter(({ isTokenLimited }) => isTokenLimited === isLimited);
      for (const spending of sumBy(some, ({ token }) => token)) {
        await settlements.spendOfToken(spending, isLimited, nowInSeconds());
      }
    }
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

/** SQLite's error about constraints; the details are in the higher bits. */
const sqliteConstraint = 19;

/** The database will not have these values, ever: PostgreSQL has classes of errors about data and constraints. */
function isRefused(error: unknown): boolean {
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
  return /^2[23]/.test(String(code)) || (typeof errcode === 'number' && (errcode & 0xff) === sqliteConstraint);
}

/**
 * The words of a record can be missed, and what it cost the gateway. Its points cannot: what was consumed is what the
 * records add up to.
 */
function withoutWords(charge: Charge): Charge {
  const { record } = charge;
  if (!record) return charge;
  const cost = Number.isSafeInteger(record.cost) ? record.cost : 0;
  return { ...charge, record: { ...record, content: '', model_name: '', detail: '', cost } };
}

/** Sums by id, in the order of the ids, so that two nodes never wait for each other's rows. */
function sumBy(charges: readonly Charge[], idOf: (charge: Charge) => number): readonly Spending[] {
  const sums = new Map<number, { id: number; quota: number; unlogged: number; requests: number }>();
  for (const charge of charges) {
    const id = idOf(charge);
    const sum = sums.get(id) ?? { id, quota: 0, unlogged: 0, requests: 0 };
    sum.quota += charge.quota;
    sum.unlogged += charge.quota - loggedQuota(charge);
    sum.requests += 1;
    sums.set(id, sum);
  }
  return [...sums.values()].sort((one, other) => one.id - other.id);
}

/** What the log will say of it. */
const loggedQuota = ({ record }: Charge): number => (record?.type === logType.consumption ? record.quota : 0);
