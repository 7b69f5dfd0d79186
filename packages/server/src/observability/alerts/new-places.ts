import { isIPv4 } from 'node:net';
import type { InTransaction } from '../../platform/db/transaction.ts';
import { networkOf } from '../../platform/rate-limits/client-network.ts';
import { newPlaceEvent } from './account-events.ts';
import type { AlertEvent } from './alert-event.ts';
import type { KnownNetworkRepository } from './known-network-repository.ts';

interface SignIn {
  readonly address: string;
  readonly userAgent: string;
}

interface NewPlacesDependencies {
  readonly networks: KnownNetworkRepository;
  readonly inTransaction: InTransaction;
  /** From where the user has signed in, as far as sessions tell. */
  readonly addressesOf: (userId: number) => Promise<readonly string[]>;
  readonly raise: (event: AlertEvent) => void;
  readonly now: () => number;
  readonly onFailure: (error: unknown) => void;
}

/** So many places of one admin are remembered. */
const mostNetworks = 50;

/** Learns from where admins sign in, and tells of a place that is new. Nobody waits for it. */
export class NewPlaces {
  readonly #dependencies: NewPlacesDependencies;
  #learning: Promise<void> = Promise.resolve();
  /** Sign-ins that are not learned yet: their sessions are no places of before. */
  readonly #waiting: { readonly userId: number; readonly address: string }[] = [];

  constructor(dependencies: NewPlacesDependencies) {
    this.#dependencies = dependencies;
  }

  /** One after the other: two sign-ins at once from one place are one new place. */
  signedIn(userId: number, signIn: SignIn): void {
    this.#waiting.push({ userId, address: signIn.address });
    this.#learning = this.#learning
      .then(() => this.#learn(userId, signIn))
      .catch(this.#dependencies.onFailure)
      .finally(() => this.#waiting.shift());
  }

  catchUp(): Promise<void> {
    return this.#learning;
  }

  async #learn(userId: number, signIn: SignIn): Promise<void> {
    const { networks, inTransaction, raise, now } = this.#dependencies;
    const user = await networks.admin(userId);
    if (!user) return;
    const earlier = (await networks.isAnyKnown(userId)) ? [] : await this.#addressesBefore(userId);
    const place = placeOf(signIn.address);
    const isNews = await inTransaction(async (transaction) => {
      const rows = networks.within(transaction);
      for (const address of earlier) await rows.learn(userId, placeOf(address), now());
      const wasAnywhere = await rows.isAnyKnown(userId);
      const isNew = await rows.learn(userId, place, now());
      if (isNew) await rows.forgetBeyond(userId, mostNetworks);
      // The first place of all is where the account was made.
      return isNew && wasAnywhere;
    });
    if (isNews) raise(newPlaceEvent(user, signIn, place));
  }

  async #addressesBefore(userId: number): Promise<readonly string[]> {
    const addresses = [...(await this.#dependencies.addressesOf(userId))];
    for (const waiting of this.#waiting) {
      const at = waiting.userId === userId ? addresses.indexOf(waiting.address) : -1;
      if (at !== -1) addresses.splice(at, 1);
    }
    return addresses;
  }
}

/** The network that an address belongs to, roughly: providers give their customers another address of it every day. */
function placeOf(address: string): string {
  const network = networkOf(address);
  if (isIPv4(network)) return `${network.split('.').slice(0, 3).join('.')}.0/24`;
  const groups = /^([\da-f]+:[\da-f]+:[\da-f]+):[\da-f]+::\/64$/.exec(network)?.[1];
  return groups === undefined ? network : `${groups}::/48`;
}
