import { AsyncLocalStorage } from 'node:async_hooks';

/** A change that every node has to apply. */
export interface ChangeAnnouncement {
  /** Called when this node has applied the change. */
  applied(): void;
  /** Names of the nodes that have not confirmed it within a second of the call. */
  unconfirmed(): Promise<readonly string[]>;
  /** Drops a change that was rolled back or whose confirmation is not awaited. */
  forget(): void;
}

const gathered = new AsyncLocalStorage<ChangeAnnouncement[]>();

/**
 * Runs an action, then waits at most a second until every node has applied its changes; returns the names of those
 * that have not.
 */
export async function awaitConfirmation<Result>(
  act: () => Result | Promise<Result>,
): Promise<{ readonly result: Result; readonly unconfirmed: readonly string[] }> {
  const announcements: ChangeAnnouncement[] = [];
  try {
    const result = await gathered.run(announcements, act);
    const names = await Promise.all(announcements.map((announcement) => announcement.unconfirmed()));
    return { result, unconfirmed: [...new Set(names.flat())].sort() };
  } catch (error) {
    for (const announcement of announcements) announcement.forget();
    throw error;
  }
}

/**
 * Makes the current `awaitConfirmation` call wait for the announcement; without such a call, the announcement is
 * dropped.
 */
export function requireConfirmation(announcement: ChangeAnnouncement): void {
  const announcements = gathered.getStore();
  if (announcements) announcements.push(announcement);
  else announcement.forget();
}
