import { setTimeout as sleep } from 'node:timers/promises';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { UpstreamResponseRepository } from '../upstream-responses/upstream-response-repository.ts';
import type { ChargeBatchRepository } from './charge-batch-repository.ts';
import { type Charge, isPermanentlyRejected, withoutTexts } from './charge-writer.ts';
import type { LocalChargeJournal } from './local-charge-journal.ts';

interface ChargeBatchStoreDependencies {
  readonly groups: ChargeBatchRepository;
  readonly keptResponses: Pick<UpstreamResponseRepository, 'forgetExpired'>;
  /** Saves charges that the database did not accept before the process ends. */
  readonly local: Pick<LocalChargeJournal, 'append'>;
  readonly onFailure: (error: unknown) => void;
  /** Called after charges were saved locally, or with the error if that failed. */
  readonly onSaved: (charges: readonly Charge[], error?: unknown) => void;
  /** How long storing a batch may take once the process has to end; two seconds by default. */
  readonly lastAttemptMs?: number;
}

const retryAfterMs = 200;
/** Number of stored batches after which confirmed ones are deleted. */
const groupsBeforeForgetting = 100;
const usualLastAttemptMs = 2000;

/** Stores batches of charges on PostgreSQL concurrently and retries each until it succeeds. */
export class ChargeBatchStore {
  readonly #dependencies: ChargeBatchStoreDependencies;
  /** For each batch in progress, a function that stops waiting for it. */
  readonly #inFlight = new Map<number, () => void>();
  /** Batches to be stored by the next start; their ids must not be deleted before. */
  readonly #savedLocally: number[] = [];
  #isEnding = false;
  #last = 0;

  constructor(dependencies: ChargeBatchStoreDependencies) {
    this.#dependencies = dependencies;
  }

  /** Resolves when the charges are durable. */
  async store(charges: readonly Charge[]): Promise<void> {
    const { keptResponses, onFailure } = this.#dependencies;
    this.#last += 1;
    const number = this.#last;
    const isStored = await this.#insist(number, charges);
    this.#inFlight.delete(number);
    if (number % groupsBeforeForgetting === 0) this.#forget().catch(onFailure);
    if (charges.some(({ kept }) => kept)) keptResponses.forgetExpired(nowInSeconds()).catch(onFailure);
    if (!isStored) await this.#storeSingly(charges);
  }

  /** Saves charges locally that the database does not accept in time, because the process is about to end. */
  saveLocally(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    for (const giveUp of this.#inFlight.values()) this.#scheduleGiveUp(giveUp);
  }

  /** Deletes the batches of killed processes. */
  recover(): Promise<void> {
    return this.#dependencies.groups.forgetOld();
  }

  /** Call after the last batch is stored. */
  close(): Promise<void> {
    return this.#forget();
  }

  /** Returns false if the database permanently rejects the batch. */
  async #insist(number: number, charges: readonly Charge[]): Promise<boolean> {
    const { groups, onFailure } = this.#dependencies;
    const isLate = Promise.withResolvers<boolean>();
    const giveUp = () => isLate.resolve(true);
    this.#inFlight.set(number, giveUp);
    if (this.#isEnding) this.#scheduleGiveUp(giveUp);
    for (;;) {
      try {
        const attempt = groups.store(number, charges).then(() => false);
        if (!(await Promise.race([attempt, isLate.promise]))) return true;
        // The attempt may still be committed; the next start then finds its id.
        attempt.catch(onFailure);
      } catch (error) {
        onFailure(error);
        if (isPermanentlyRejected(error)) return false;
      }
      if (this.#isEnding && this.#save(number, charges)) return true;
      await sleep(retryAfterMs);
    }
  }

  #scheduleGiveUp(giveUp: () => void): void {
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

  /**
   * Called if a batch contains a value that the database rejects. Stores the charges one by one, and the rejected one
   * without its texts, so that it is still charged.
   */
  async #storeSingly(charges: readonly Charge[]): Promise<void> {
    const [first] = charges;
    if (charges.length > 1 || !first) {
      await Promise.all(charges.map((charge) => this.store([charge])));
      return;
    }
    await sleep(retryAfterMs);
    await this.store([withoutTexts(first)]);
  }

  /** Keeps unconfirmed batches, because they are still retried. */
  #forget(): Promise<void> {
    const needed = [...this.#inFlight.keys(), ...this.#savedLocally];
    return this.#dependencies.groups.forgetBefore(Math.min(this.#last + 1, ...needed));
  }
}
