import { setTimeout as sleep } from 'node:timers/promises';
import { nowInSeconds } from '../../clock.ts';
import type { KeptResponseRepository } from '../kept/kept-response-repository.ts';
import type { Charge } from './charge.ts';
import type { ChargeGroupRepository } from './charge-group-repository.ts';
import { isRefused, withoutWords } from './refused-charges.ts';

interface GroupStoreDependencies {
  readonly groups: ChargeGroupRepository;
  readonly keptResponses: Pick<KeptResponseRepository, 'forgetExpired'>;
  readonly onFailure: (error: unknown) => void;
}

const retryAfterMs = 200;
/** How many groups are stored before those that are done with are forgotten. */
const groupsBeforeForgetting = 100;

/** Stores groups of charges on PostgreSQL, several at once, each however often that takes. */
export class GroupStore {
  readonly #groups: ChargeGroupRepository;
  readonly #keptResponses: Pick<KeptResponseRepository, 'forgetExpired'>;
  readonly #onFailure: (error: unknown) => void;
  readonly #underWay = new Set<number>();
  #last = 0;

  constructor({ groups, keptResponses, onFailure }: GroupStoreDependencies) {
    this.#groups = groups;
    this.#keptResponses = keptResponses;
    this.#onFailure = onFailure;
  }

  /** Resolves when they are durable. */
  async store(charges: readonly Charge[]): Promise<void> {
    this.#last += 1;
    const number = this.#last;
    this.#underWay.add(number);
    const isStored = await this.#insist(number, charges);
    this.#underWay.delete(number);
    if (number % groupsBeforeForgetting === 0) this.#forget().catch(this.#onFailure);
    if (charges.some(({ kept }) => kept)) this.#keptResponses.forgetExpired(nowInSeconds()).catch(this.#onFailure);
    if (!isStored) await this.#storeSingly(charges);
  }

  /** Forgets what processes left that were killed. */
  recover(): Promise<void> {
    return this.#groups.forgetOld();
  }

  /** Nothing more is stored. */
  close(): Promise<void> {
    return this.#forget();
  }

  /** False when the database will never have these. */
  async #insist(number: number, charges: readonly Charge[]): Promise<boolean> {
    for (;;) {
      try {
        await this.#groups.store(number, charges);
        return true;
      } catch (error) {
        this.#onFailure(error);
        if (isRefused(error)) return false;
        await sleep(retryAfterMs);
      }
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
    return this.#groups.forgetBefore(Math.min(this.#last + 1, ...this.#underWay));
  }
}
