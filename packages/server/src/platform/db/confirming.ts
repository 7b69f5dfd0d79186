import { AsyncLocalStorage } from 'node:async_hooks';

/** A change that every node has to apply. */
export interface Announcement {
  /** This node has. */
  applied(): void;
  /** The names of the nodes that have not confirmed it, a second after this call at the latest. */
  unconfirmed(): Promise<readonly string[]>;
  /** It was not made after all, or nobody waits for it. */
  forget(): void;
}

const gathered = new AsyncLocalStorage<Announcement[]>();

/** Does something, and then waits, a second at most, until every node has applied what it changed; names those that have not. */
export async function confirming<Result>(
  act: () => Result | Promise<Result>,
): Promise<{ readonly result: Result; readonly unconfirmed: readonly string[] }> {
  const announcements: Announcement[] = [];
  try {
    const result = await gathered.run(announcements, act);
    const names = await Promise.all(announcements.map((announcement) => announcement.unconfirmed()));
    return { result, unconfirmed: [...new Set(names.flat())].sort() };
  } catch (error) {
    for (const announcement of announcements) announcement.forget();
    throw error;
  }
}

/** Has whoever acts wait for it, before he says that it is done; nobody, where the gateway acts by itself. */
export function toBeConfirmed(announcement: Announcement): void {
  const announcements = gathered.getStore();
  if (announcements) announcements.push(announcement);
  else announcement.forget();
}
