import { nowInSeconds } from '../clock.ts';
import type { InTransaction } from '../transaction.ts';
import type { ChannelFailureFacts } from './channel-health-service.ts';
import type { ChannelKeyRepository, KeyFailure, KeyUse } from './channel-key-repository.ts';
import { storable } from './storable-message.ts';

interface KeyUseServiceDependencies {
  readonly keys: ChannelKeyRepository;
  readonly inTransaction: InTransaction;
  readonly onFailure: (error: unknown) => void;
}

interface Noted {
  requests: number;
  failures: number;
  last: KeyFailure | undefined;
}

/** However many requests there are, keys are written down this often at most. */
const writeEveryMs = 5000;

/** Counts what keys are used for. Requests leave a note in memory, which is written behind their back and before anybody looks. */
export class KeyUseService {
  readonly #dependencies: KeyUseServiceDependencies;
  #noted = new Map<number, Noted>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  constructor(dependencies: KeyUseServiceDependencies) {
    this.#dependencies = dependencies;
  }

  used(key: number): void {
    this.#notedOf(key).requests += 1;
  }

  failed(key: number, { status, reason, message }: Omit<ChannelFailureFacts, 'model'>): void {
    const noted = this.#notedOf(key);
    noted.failures += 1;
    noted.last = { status, reason, message: storable(message), time: nowInSeconds() };
  }

  /** Waits until the table says what was known at the call. */
  async catchUp(): Promise<void> {
    const hasNews = this.#noted.size > 0;
    await this.#writing;
    if (hasNews) await this.#write();
  }

  #notedOf(key: number): Noted {
    const known = this.#noted.get(key);
    if (known) return known;
    const noted: Noted = { requests: 0, failures: 0, last: undefined };
    this.#noted.set(key, noted);
    this.#timer ??= setTimeout(() => void this.#write(), writeEveryMs).unref();
    return noted;
  }

  #write(): Promise<void> {
    this.#writing ??= this.#writeAll()
      // What cannot be written is missed: these counts are no money.
      .catch(this.#dependencies.onFailure)
      .finally(() => {
        this.#writing = undefined;
      });
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#noted.size === 0) return;
    const time = nowInSeconds();
    const uses: KeyUse[] = [...this.#noted].map(([id, noted]) => ({ id, time, ...noted }));
    this.#noted = new Map();
    const { keys, inTransaction } = this.#dependencies;
    await inTransaction((transaction) => keys.within(transaction).recordUse(uses));
  }
}
