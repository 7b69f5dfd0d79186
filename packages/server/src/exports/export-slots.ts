import { isAdmin } from '@headgate/contract';
import { Refusal } from '../refusal.ts';

/** Each reads as fast as it can: more at once would take from one another, and from everything else. */
const mostAtOnce = 3;
/** The rest is kept for admins, however slowly others read. */
const mostOfUsers = 2;

/** How long somebody who was refused is told to wait, in seconds. */
const waitInSeconds = 5;

interface Running {
  /** Undefined once nobody reads it any more. */
  userId: number | undefined;
  readonly isOfAdmin: boolean;
  end: () => void;
}

/** The place of one export among those that are written; to be given back whatever becomes of it. */
export interface ExportSlot {
  /** What ends the export before its end. */
  onEnd(end: () => void): void;
  /** Its user may begin another: what is left of this one is only cleared away. */
  leave(): void;
  release(): void;
}

/** How many files are written at once: a few in this process, one for each user, one place for admins. */
export class ExportSlots {
  readonly #running = new Set<Running>();
  #isClosed = false;

  take(user: { readonly id: number; readonly role: number }): ExportSlot {
    const isOfAdmin = isAdmin(user);
    const all = [...this.#running];
    const isBusy = all.some(({ userId }) => userId === user.id);
    if (isBusy) throw new Refusal('ownExportRuns', { seconds: String(waitInSeconds) });
    const isTaken = !isOfAdmin && all.filter((running) => !running.isOfAdmin).length >= mostOfUsers;
    if (this.#isClosed || isTaken || all.length >= mostAtOnce) {
      throw new Refusal('tooManyExports', { seconds: String(waitInSeconds) });
    }
    const running: Running = { userId: user.id, isOfAdmin, end: () => undefined };
    this.#running.add(running);
    return {
      onEnd: (end) => {
        running.end = end;
      },
      leave: () => {
        running.userId = undefined;
      },
      release: () => void this.#running.delete(running),
    };
  }

  /** Breaks off what is being written, and begins nothing more. */
  close(): void {
    this.#isClosed = true;
    for (const { end } of this.#running) end();
  }
}
