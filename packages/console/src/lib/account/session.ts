import { type SignedInUser, signedInUser } from '@headgate/contract';
import { useSyncExternalStore } from 'react';
import { createStored } from '../page/stored.ts';
import { hasUnsavedWork } from '../page/unsaved.ts';

const stored = createStored('user', signedInUser);

/** The signed-in user as the browser remembers him; the server decides what he may. */
export const currentUser = (): SignedInUser | undefined => stored.get();

export const useUser = (): SignedInUser | undefined => useSyncExternalStore(stored.subscribe, stored.get);

/** Changes with every sign-in, which other tabs then hear of even when the user is the one they know. */
export const signInKey = 'signed_in_at';

export function rememberUser(user: SignedInUser): void {
  stored.set(user);
  localStorage.setItem(signInKey, String(Date.now()));
}

export const forgetUser = (): void => stored.set(undefined);

const expiryListeners = new Set<(message: string) => void>();

/**
 * Called when a call was answered 401: whatever the browser remembers is no longer true. Over unsaved work it stays, since
 * the page would go with it, until the person has signed in again or left.
 */
export function expireSession(message: string): void {
  if (!hasUnsavedWork()) forgetUser();
  for (const listener of expiryListeners) listener(message);
}

/** The listener gets what the server said. */
export function onSessionExpired(listener: (message: string) => void): () => void {
  expiryListeners.add(listener);
  return () => expiryListeners.delete(listener);
}
