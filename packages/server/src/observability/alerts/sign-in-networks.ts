import { isIPv4 } from 'node:net';
import type { InTransaction } from '../../platform/db/transaction.ts';
import { clientNetwork } from '../../platform/rate-limits/client-network.ts';
import { newNetworkEvent } from './account-events.ts';
import type { AlertEvent } from './alert-event.ts';
import type { KnownNetworkRepository } from './known-network-repository.ts';

interface SignIn {
  readonly address: string;
  readonly userAgent: string;
}

interface NewPlacesDependencies {
  readonly networks: KnownNetworkRepository;
  readonly inTransaction: InTransaction;
  /** Addresses of the user's sessions. */
  readonly addressesOf: (userId: number) => Promise<readonly string[]>;
  readonly raise: (event: AlertEvent) => void;
  readonly now: () => number;
  readonly onFailure: (error: unknown) => void;
}

/** Networks remembered per admin. */
const maxNetworks = 50;

/** Records the networks from which admins sign in and raises an event for a new one. Runs in the background. */
export class SignInNetworks {
  readonly #dependencies: NewPlacesDependencies;
  #learning: Promise<void> = Promise.resolve();
  /** Sign-ins that are not processed yet: their sessions do not count as earlier ones. */
  readonly #waiting: { readonly userId: number; readonly address: string }[] = [];

  constructor(dependencies: NewPlacesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Sequential, so that two concurrent sign-ins from one network count as one new network. */
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
    const network = approximateNetworkOf(signIn.address);
    const isNews = await inTransaction(async (transaction) => {
      const rows = networks.within(transaction);
      for (const address of earlier) await rows.add(userId, approximateNetworkOf(address), now());
      const wasAnywhere = await rows.isAnyKnown(userId);
      const isNew = await rows.add(userId, network, now());
      if (isNew) await rows.removeOldest(userId, maxNetworks);
      // The first network of an account is never reported.
      return isNew && wasAnywhere;
    });
    if (isNews) raise(newNetworkEvent(user, signIn, network));
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

/** Approximate network of an address, because providers rotate addresses within their networks. */
function approximateNetworkOf(address: string): string {
  const network = clientNetwork(address);
  if (isIPv4(network)) return `${network.split('.').slice(0, 3).join('.')}.0/24`;
  const groups = /^([\da-f]+:[\da-f]+:[\da-f]+):[\da-f]+::\/64$/.exec(network)?.[1];
  return groups === undefined ? network : `${groups}::/48`;
}
