import { type SignedInUser, signedInUser } from '@headgate/contract';
import { useSyncExternalStore } from 'react';
import { createStoredValue } from '../page/stored-value.ts';
import { hasUnsavedWork } from '../page/unsaved.ts';

const stored = createStoredValue('user', signedInUser);

/** The signed-in user from browser storage. Permissions are enforced by the server. */
export const currentUser = (): SignedInUser | undefined => stored.get();

export const useUser = (): SignedInUser | undefined => useSyncExternalStore(stored.subscribe, stored.get);

/** Changes with every sign-in, so that other tabs notice a new sign-in even if the user is the same. */
export const signInKey = 'signed_in_at';

export function storeUser(user: SignedInUser): void {
  stored.set(user);
  localStorage.setItem(signInKey, String(Date.now()));
}

export const removeStoredUser = (): void => stored.set(undefined);

const expiryListeners = new Set<(message: string) => void>();

/**
 * Handles a 401 response by clearing the stored user. With unsaved work, the user is kept until the next sign-in,
 * because clearing it would close the page.
 */
export function expireSession(message: string): void {
  if (!hasUnsavedWork()) removeStoredUser();
  for (const listener of expiryListeners) listener(message);
}

/** The listener receives the server's message. */
export function onSessionExpired(listener: (message: string) => void): () => void {
  expiryListeners.add(listener);
  return () => expiryListeners.delete(listener);
}
