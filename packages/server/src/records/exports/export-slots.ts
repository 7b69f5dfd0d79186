import { setTimeout as sleep } from 'node:timers/promises';
import { isAdmin } from '@headgate/contract';
import { ApiError } from '../../platform/errors/api-error.ts';

/** Each reads as fast as it can: more at once would take from one another, and from everything else. */
const mostAtOnce = 3;
/** The rest is kept for admins, however slowly others read. */
const mostOfUsers = 2;

/** How long somebody who was refused is told to wait, and is made to for a place that is being cleared, in seconds. */
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

interface Asking {
  readonly id: number;
  readonly role: number;
}

/** How many files are written at once: a few in this process, one for each user, one place for admins. */
export class ExportSlots {
  readonly #running = new Set<Running>();
  #isClosed = false;
  #cleared = Promise.withResolvers<unknown>();

  /** What is only cleared away is waited for: it takes a moment, and whoever has just read one file may want the next. */
  async take(user: Asking): Promise<ExportSlot> {
    let late: Promise<'late'> | undefined;
    for (;;) {
      const all = [...this.#running];
      const refusal = this.#refusalOf(user, all);
      if (!refusal) return this.#begin(user);
      // What is still read may last.
      const lasting = this.#refusalOf(
        user,
        all.filter(({ userId }) => userId !== undefined),
      );
      if (lasting) throw lasting;
      late ??= sleep(waitInSeconds * 1000, 'late', { ref: false });
      if ((await Promise.race([this.#cleared.promise, late])) === 'late') throw refusal;
    }
  }

  #refusalOf(user: Asking, all: readonly Running[]): ApiError | undefined {
    const seconds = String(waitInSeconds);
    if (all.some(({ userId }) => userId === user.id)) return new ApiError('ownExportRuns', { seconds });
    const isTaken = !isAdmin(user) && all.filter((running) => !running.isOfAdmin).length >= mostOfUsers;
    if (this.#isClosed || isTaken || all.length >= mostAtOnce) return new ApiError('tooManyExports', { seconds });
    return undefined;
  }

  #begin(user: Asking): ExportSlot {
    const running: Running = { userId: user.id, isOfAdmin: isAdmin(user), end: () => undefined };
    this.#running.add(running);
    return {
      onEnd: (end) => {
        running.end = end;
      },
      leave: () => {
        running.userId = undefined;
      },
      release: () => {
        this.#running.delete(running);
        this.#wake();
      },
    };
  }

  #wake(): void {
    this.#cleared.resolve(undefined);
    this.#cleared = Promise.withResolvers();
  }

  /** Breaks off what is being written, and begins nothing more. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
    for (const { end } of this.#running) end();
  }
}
