import { RelayError } from '@headgate/relay';

/** SQLite's log can take up to 16 MB in addition to the file. */
export const minFreeBytes = 32 * 1024 * 1024;

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
/** Longer than the retry interval of failed writes (200 ms): the problem is over after this time without a failure. */
const overAfterMs = 1000;
/** Storing a batch of charges takes milliseconds; a longer delay indicates a problem. */
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
    if (this.#failed === undefined) this.#notify(fault, error);
    this.#failed = fault;
    this.#checkIfOver();
    return true;
  }

  /** On a busy machine, an attempt may take longer, so the problem is not over while a charge is waiting. */
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
    if (seen !== undefined && this.trouble === undefined) this.#notify(seen, undefined);
    this.#seen = seen;
  }

  #notify(fault: StorageFault, error: unknown): void {
    this.#dependencies.log.error(
      { fault, ...(error !== undefined && { err: error }) },
      `${storageFaultMessages[fault]}: requests are rejected until charges can be stored`,
    );
  }
}

/** A full disk requires an operator; a slow disk may recover within seconds. */
const storableAfterSeconds = 5;

/** Error for relay clients while nothing can be stored. */
export function storageUnavailableError(trouble: keyof typeof storageFaultMessages): RelayError {
  const message = `Requests cannot be charged: ${storageFaultMessages[trouble]}. Try again later`;
  const error = new RelayError(503, message, 'storage_unavailable');
  error.retryAfter = storableAfterSeconds;
  return error;
}

/** Reason why a reachable database cannot store anything. */
export type StorageFault = 'full' | 'read-only' | 'failing';

/** PostgreSQL codes: disk full, read-only transaction, I/O error. */
const serverFaults: Readonly<Record<string, StorageFault>> = { 53100: 'full', 25006: 'read-only', 58030: 'failing' };

/** SQLite result codes; details are in the higher bits. */
const sqliteFaults: Readonly<Record<number, StorageFault>> = {
  8: 'read-only',
  10: 'failing',
  13: 'full',
  14: 'failing',
};

/** Undefined for other errors. */
export function classifyStorageFault(error: unknown): StorageFault | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
  if (typeof errcode === 'number') return sqliteFaults[errcode & 0xff];
  return typeof code === 'string' ? serverFaults[code] : undefined;
}

/** Used for writes that can wait: a read-only database can still serve reads. */
export function ignoreStorageFault(error: unknown): void {
  if (classifyStorageFault(error) === undefined) throw error;
}

/** Wording for logs, `/readyz` and clients. */
export const storageFaultMessages: Readonly<Record<StorageFault | 'slow', string>> = {
  full: 'the database disk is full',
  'read-only': 'the database is read-only',
  failing: 'the database disk is failing',
  slow: 'charges have been waiting for seconds to be stored',
};
