import { faultWords, type StorageFault, storageFaultOf } from './storage-fault.ts';

interface StorageLog {
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

interface StorageHealthDependencies {
  /** Finds out what would stand in the way of storing something; undefined when nothing is known to. */
  readonly look: () => Promise<StorageFault | undefined>;
  /** How long the oldest charge that is not stored has waited. */
  readonly oldestUnstoredMs: () => number;
  readonly log: StorageLog;
}

const lookEveryMs = 5000;
/** What failed is tried again within a fifth of a second: when nothing has failed for so long, it is over. */
const overAfterMs = 1000;
/** A group of charges takes milliseconds to store: after this long something is wrong. */
export const longestLagMs = 5000;

/**
 * Whether what requests cost can be stored. While it cannot, a request is refused before anything is sent upstream: its
 * reply could not end, and what waits to be stored would only grow.
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
    this.#timer = setInterval(() => void this.look(), lookEveryMs).unref();
  }

  close(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#over);
  }

  /** Undefined when all is well. Asked for every request: it takes no time. */
  get trouble(): StorageFault | 'slow' | undefined {
    const known = this.#failed ?? this.#seen;
    if (known !== undefined) return known;
    return this.#dependencies.oldestUnstoredMs() > longestLagMs ? 'slow' : undefined;
  }

  /** Something was not stored and will be tried again; true when the error is about storage, and told here. */
  failed(error: unknown): boolean {
    const fault = storageFaultOf(error);
    if (fault === undefined) return false;
    if (this.#failed === undefined) this.#tell(fault, error);
    this.#failed = fault;
    this.#lookIfOver();
    return true;
  }

  /** On a machine that is busy an attempt may take longer than that: while its charge waits, nothing is over. */
  #lookIfOver(): void {
    clearTimeout(this.#over);
    this.#over = setTimeout(() => {
      if (this.#dependencies.oldestUnstoredMs() >= overAfterMs) return this.#lookIfOver();
      this.#failed = undefined;
      this.#dependencies.log.warn({}, 'charges are stored again');
    }, overAfterMs).unref();
  }

  /** Looks now, as it does every few seconds. */
  async look(): Promise<void> {
    const seen = await this.#dependencies.look().catch(() => undefined);
    if (seen !== undefined && this.trouble === undefined) this.#tell(seen, undefined);
    this.#seen = seen;
  }

  #tell(fault: StorageFault, error: unknown): void {
    this.#dependencies.log.error(
      { fault, ...(error !== undefined && { err: error }) },
      `${faultWords[fault]}: requests are refused until charges can be stored`,
    );
  }
}
