import { AsyncLocalStorage } from 'node:async_hooks';

const places = new AsyncLocalStorage<string>();

/** Runs an action on behalf of a user at this address. Console requests only; relayed requests do not use it. */
export const actingFrom = <Result>(address: string, act: () => Result): Result => places.run(address, act);

/** Address of the acting user; undefined if the gateway acts by itself. */
export const addressOfActor = (): string | undefined => places.getStore();
