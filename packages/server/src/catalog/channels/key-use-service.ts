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

/** Minimum interval between writes, however many requests there are. */
const writeEveryMs = 5000;

/** Counts the use of keys. Collected in memory and written in the background, and before keys are read. */
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

  /** Waits until all use recorded so far is written. */
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
