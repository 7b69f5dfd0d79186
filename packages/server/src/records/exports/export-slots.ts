import { setTimeout as sleep } from 'node:timers/promises';
import { isAdmin } from '@headgate/contract';
import { ApiError } from '../../platform/errors/api-error.ts';

/** More concurrent exports would slow down each other and the relay. */
const maxConcurrent = 3;
/** The remaining slot is reserved for admins. */
const mostOfUsers = 2;

/** In seconds: Retry-After of a rejected export, and the maximum wait for a slot that is being cleaned up. */
const waitInSeconds = 5;

interface Running {
  /** Undefined once the client has finished or disconnected. */
  userId: number | undefined;
  readonly isOfAdmin: boolean;
  end: () => void;
}

/** Slot of a running export; must always be released. */
export interface ExportSlot {
  /** Sets the function that aborts the export. */
  onEnd(end: () => void): void;
  /** Allows the user to start another export while this one is only being cleaned up. */
  leave(): void;
  release(): void;
}

interface SlotRequester {
  readonly id: number;
  readonly role: number;
}

/** Limits concurrent exports: a few per process, one per user, one slot reserved for admins. */
export class ExportSlots {
  readonly #running = new Set<Running>();
  #isClosed = false;
  #cleared = Promise.withResolvers<unknown>();

  /**
   * Waits for slots that are only being cleaned up, because that is quick and a client may request the next file
   * right away.
   */
  async take(user: SlotRequester): Promise<ExportSlot> {
    let late: Promise<'late'> | undefined;
    for (;;) {
      const all = [...this.#running];
      const error = this.#rejectionOf(user, all);
      if (!error) return this.#begin(user);
      // Slots still in use are not waited for, because reading an export can take long.
      const lasting = this.#rejectionOf(
        user,
        all.filter(({ userId }) => userId !== undefined),
      );
      if (lasting) throw lasting;
      late ??= sleep(waitInSeconds * 1000, 'late', { ref: false });
      if ((await Promise.race([this.#cleared.promise, late])) === 'late') throw error;
    }
  }

  #rejectionOf(user: SlotRequester, all: readonly Running[]): ApiError | undefined {
    const seconds = String(waitInSeconds);
    if (all.some(({ userId }) => userId === user.id)) return new ApiError('ownExportRuns', { seconds });
    const isTaken = !isAdmin(user) && all.filter((running) => !running.isOfAdmin).length >= mostOfUsers;
    if (this.#isClosed || isTaken || all.length >= maxConcurrent) return new ApiError('tooManyExports', { seconds });
    return undefined;
  }

  #begin(user: SlotRequester): ExportSlot {
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

  /** Aborts running exports and rejects new ones. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
    for (const { end } of this.#running) end();
  }
}
