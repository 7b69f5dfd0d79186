import { AsyncLocalStorage } from 'node:async_hooks';

const places = new AsyncLocalStorage<string>();

/** Does something on behalf of a person who is at this address. Calls of the console only: relayed requests do without. */
export const actingFrom = <Result>(address: string, act: () => Result): Result => places.run(address, act);

/** The address of whoever is acting; undefined where the gateway acts by itself. */
export const addressOfActor = (): string | undefined => places.getStore();
