import { classifyStorageFault, type StorageFault, storageFaultMessages } from './storage-fault.ts';

interface StorageLog {
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

interface StorageHealthDependencies {
  /** Checks for a reason that would prevent storing; undefined if none is known. */
  readonly look: () => Promise<StorageFault | undefined>;
  /** Age of the oldest charge that is not stored. */
  readonly oldestUnstoredMs: () => number;
  readonly log: StorageLog;
}

const checkEveryMs = 5000;
/** Failed writes are retried within 200 ms, so a problem is over after this time without a failure. */
const overAfterMs = 1000;
/** Storing a group of charges takes milliseconds; a longer delay indicates a problem. */
export const maxChargeLagMs = 5000;

/**
 * Tracks whether charges can be stored. While they cannot, requests are rejected before they are sent upstream: their
 * charges could not be stored, and the backlog would only grow.
 */
export class StorageHealth {
  readonly #dependencies: StorageHealthDependencies;
  #seen: StorageFault | undefined;
  #failed: StorageFault | undefined;
  #over: NodeJS.Timeout | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(dependencies: StorageHealthDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    this.#timer = setInterval(() => void this.check(), checkEveryMs).unref();
  }

  close(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#over);
  }

  /** Undefined if there is no problem. Cheap, because it is read for every request. */
  get trouble(): StorageFault | 'slow' | undefined {
    const known = this.#failed ?? this.#seen;
    if (known !== undefined) return known;
    return this.#dependencies.oldestUnstoredMs() > maxChargeLagMs ? 'slow' : undefined;
  }

  /** Call for a failed write that will be retried; returns true if the error concerns storage and was logged here. */
  failed(error: unknown): boolean {
    const fault = classifyStorageFault(error);
    if (fault === undefined) return false;
    if (this.#failed === undefined) this.#tell(fault, error);
    this.#failed = fault;
    this.#checkIfOver();
    return true;
  }

  /** On a busy machine an attempt may take longer: the problem is not over while a charge waits. */
  #checkIfOver(): void {
    clearTimeout(this.#over);
    this.#over = setTimeout(() => {
      if (this.#dependencies.oldestUnstoredMs() >= overAfterMs) return this.#checkIfOver();
      this.#failed = undefined;
      this.#dependencies.log.warn({}, 'charges are stored again');
    }, overAfterMs).unref();
  }

  /** Checks now; also runs every few seconds. */
  async check(): Promise<void> {
    const seen = await this.#dependencies.look().catch(() => undefined);
    if (seen !== undefined && this.trouble === undefined) this.#tell(seen, undefined);
    this.#seen = seen;
  }

  #tell(fault: StorageFault, error: unknown): void {
    this.#dependencies.log.error(
      { fault, ...(error !== undefined && { err: error }) },
      `${storageFaultMessages[fault]}: requests are rejected until charges can be stored`,
    );
  }
}
