import { type SignedInUser, signedInUser } from '@headgate/contract';
import { useSyncExternalStore } from 'react';
import { createStored } from './stored.ts';

const stored = createStored('user', signedInUser);

/** The signed-in user as the browser remembers him; the server decides what he may. */
export const currentUser = (): SignedInUser | undefined => stored.get();

export const useUser = (): SignedInUser | undefined => useSyncExternalStore(stored.subscribe, stored.get);

export const rememberUser = (user: SignedInUser): void => stored.set(user);

export const forgetUser = (): void => stored.set(undefined);

const expiryListeners = new Set<(message: string) => void>();

/** Called when a call was answered 401: whatever the browser remembers is no longer true. */
export function expireSession(message: string): void {
  forgetUser();
  for (const listener of expiryListeners) listener(message);
}

/** The listener gets what the server said. */
export function onSessionExpired(listener: (message: string) => void): () => void {
  expiryListeners.add(listener);
  return () => expiryListeners.delete(listener);
}
