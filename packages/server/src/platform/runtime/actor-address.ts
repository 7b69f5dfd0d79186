import { AsyncLocalStorage } from 'node:async_hooks';

const addresses = new AsyncLocalStorage<string>();

/** Runs an action on behalf of a user at this address. Used for console requests only, not for relayed ones. */
export const withActorAddress = <Result>(address: string, act: () => Result): Result => addresses.run(address, act);

/** Address of the acting user; undefined for automatic actions. */
export const actorAddress = (): string | undefined => addresses.getStore();
