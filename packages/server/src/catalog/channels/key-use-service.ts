import type { InTransaction } from '../../platform/db/transaction.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { GatheredNotes } from '../../platform/runtime/gathered-notes.ts';
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
  readonly #notes: GatheredNotes<number, Noted>;

  constructor(dependencies: KeyUseServiceDependencies) {
    this.#dependencies = dependencies;
    this.#notes = new GatheredNotes<number, Noted>({
      empty: () => ({ requests: 0, failures: 0, last: undefined }),
      write: (notes) => this.#write(notes),
      everyMs: writeEveryMs,
      onFailure: dependencies.onFailure,
    });
  }

  used(key: number): void {
    this.#notes.of(key).requests += 1;
  }

  failed(key: number, { status, reason, message }: Omit<ChannelFailureFacts, 'model'>): void {
    const noted = this.#notes.of(key);
    noted.failures += 1;
    noted.last = { status, reason, message: storable(message), time: nowInSeconds() };
  }

  /** Waits until the table says what was known at the call. */
  catchUp(): Promise<void> {
    return this.#notes.catchUp();
  }

  #write(notes: ReadonlyMap<number, Noted>): Promise<void> {
    const time = nowInSeconds();
    const uses: KeyUse[] = [...notes].map(([id, noted]) => ({ id, time, ...noted }));
    const { keys, inTransaction } = this.#dependencies;
    return inTransaction((transaction) => keys.within(transaction).recordUse(uses));
  }
}
