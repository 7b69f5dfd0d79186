import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from '../db/database.ts';

/** Somebody's change of one thing, which the transaction that makes it looks after. */
export interface WatchedEdit {
  /** Just after the transaction has begun. */
  begun(database: Database): Promise<void>;
  /** Just before its commit: what is refused here does not happen. */
  ending(database: Database): Promise<void>;
}

const edits = new AsyncLocalStorage<{ edit: WatchedEdit | undefined }>();

/** Does something, of which the first transaction is the change that is watched. */
export const watching = <Result>(edit: WatchedEdit, act: () => Result): Result => edits.run({ edit }, act);

/** The change that a transaction is to make; what comes after it, or was begun beside it, makes another. */
export function takeWatchedEdit(): WatchedEdit | undefined {
  const held = edits.getStore();
  const edit = held?.edit;
  if (held) held.edit = undefined;
  return edit;
}
