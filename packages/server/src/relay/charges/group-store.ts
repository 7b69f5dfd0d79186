import { setTimeout as sleep } from 'node:timers/promises';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { KeptResponseRepository } from '../upstream-responses/kept-response-repository.ts';
import type { Charge } from './charge.ts';
import type { ChargeGroupRepository } from './charge-group-repository.ts';
import type { LocalChargeJournal } from './local-charge-journal.ts';
import { isRefused, withoutWords } from './refused-charges.ts';

interface GroupStoreDependencies {
  readonly groups: ChargeGroupRepository;
  readonly keptResponses: Pick<KeptResponseRepository, 'forgetExpired'>;
  /** Where charges are saved that the database does not take before the process ends. */
  readonly local: Pick<LocalChargeJournal, 'append'>;
  readonly onFailure: (error: unknown) => void;
  /** Charges were saved locally; with an error, they could not be. */
  readonly onSaved: (charges: readonly Charge[], error?: unknown) => void;
  /** How long the database has for a group once the process has to end; two seconds by default. */
  readonly lastAttemptMs?: number;
}

const retryAfterMs = 200;
/** How many groups are stored before those that are done with are forgotten. */
const groupsBeforeForgetting = 100;
const usualLastAttemptMs = 2000;

/** Stores groups of charges on PostgreSQL, several at once, each however often that takes. */
export class GroupStore {
  readonly #dependencies: GroupStoreDependencies;
  /** Ends the wait for each group that is being stored. */
  readonly #underWay = new Map<number, () => void>();
  /** Groups that the next start stores: their ids must stay known until then. */
  readonly #savedLocally: number[] = [];
  #isEnding = false;
  #last = 0;

  constructor(dependencies: GroupStoreDependencies) {
    this.#dependencies = dependencies;
  }

  /** Resolves when they are durable. */
  async store(charges: readonly Charge[]): Promise<void> {
    const { keptResponses, onFailure } = this.#dependencies;
    this.#last += 1;
    const number = this.#last;
    const isStored = await this.#insist(number, charges);
    this.#underWay.delete(number);
    if (number % groupsBeforeForgetting === 0) this.#forget().catch(onFailure);
    if (charges.some(({ kept }) => kept)) keptResponses.forgetExpired(nowInSeconds()).catch(onFailure);
    if (!isStored) await this.#storeSingly(charges);
  }

  /** The process has to end soon: what the database does not take by then is saved locally. */
  saveLocally(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    for (const giveUp of this.#underWay.values()) this.#giveUpSoon(giveUp);
  }

  /** Forgets what processes left that were killed. */
  recover(): Promise<void> {
    return this.#dependencies.groups.forgetOld();
  }

  /** Nothing more is stored. */
  close(): Promise<void> {
    return this.#forget();
  }

  /** False when the database will never have these. */
  async #insist(number: number, charges: readonly Charge[]): Promise<boolean> {
    const { groups, onFailure } = this.#dependencies;
    const isLate = Promise.withResolvers<boolean>();
    const giveUp = () => isLate.resolve(true);
    this.#underWay.set(number, giveUp);
    if (this.#isEnding) this.#giveUpSoon(giveUp);
    for (;;) {
      try {
        const attempt = groups.store(number, charges).then(() => false);
        if (!(await Promise.race([attempt, isLate.promise]))) return true;
        // It may be committed all the same: the next start finds its id then.
        attempt.catch(onFailure);
      } catch (error) {
        onFailure(error);
        if (isRefused(error)) return false;
      }
      if (this.#isEnding && this.#save(number, charges)) return true;
      await sleep(retryAfterMs);
    }
  }

  #giveUpSoon(giveUp: () => void): void {
    setTimeout(giveUp, this.#dependencies.lastAttemptMs ?? usualLastAttemptMs).unref();
  }

  #save(number: number, charges: readonly Charge[]): boolean {
    const { local, onSaved } = this.#dependencies;
    try {
      local.append(number, charges, nowInSeconds());
      this.#savedLocally.push(number);
      onSaved(charges);
      return true;
    } catch (error) {
      onSaved(charges, error);
      return false;
    }
  }

  /** One of them cannot be written down as it is; the others need not wait for it, and it is charged all the same. */
  async #storeSingly(charges: readonly Charge[]): Promise<void> {
    const [first] = charges;
    if (charges.length > 1 || !first) {
      await Promise.all(charges.map((charge) => this.store([charge])));
      return;
    }
    await sleep(retryAfterMs);
    await this.store([withoutWords(first)]);
  }

  /** Those that are not confirmed yet are asked for again. */
  #forget(): Promise<void> {
    const needed = [...this.#underWay.keys(), ...this.#savedLocally];
    return this.#dependencies.groups.forgetBefore(Math.min(this.#last + 1, ...needed));
  }
}
