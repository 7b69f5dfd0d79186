import type { InTransaction } from '../../platform/db/transaction.ts';
import { BatchedUpdates } from '../../platform/runtime/batched-updates.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { ChannelFailureDetails } from './channel-health-service.ts';
import type { ChannelKeyRepository, KeyFailure, KeyUsage } from './channel-key-repository.ts';
import { truncateMessage } from './truncate-message.ts';

interface KeyUseServiceDependencies {
  readonly keys: ChannelKeyRepository;
  readonly inTransaction: InTransaction;
  readonly onFailure: (error: unknown) => void;
}

interface PendingUsage {
  requests: number;
  failures: number;
  last: KeyFailure | undefined;
}

/** Minimum interval between writes, regardless of the number of requests. */
const writeIntervalMs = 5000;

/** Counts the use of keys. Collected in memory and written in the background, and before keys are read. */
export class KeyUsageService {
  readonly #dependencies: KeyUseServiceDependencies;
  readonly #notes: BatchedUpdates<number, PendingUsage>;

  constructor(dependencies: KeyUseServiceDependencies) {
    this.#dependencies = dependencies;
    this.#notes = new BatchedUpdates<number, PendingUsage>({
      empty: () => ({ requests: 0, failures: 0, last: undefined }),
      write: (notes) => this.#write(notes),
      everyMs: writeIntervalMs,
      onFailure: dependencies.onFailure,
    });
  }

  used(key: number): void {
    this.#notes.of(key).requests += 1;
  }

  failed(key: number, { status, reason, message }: Omit<ChannelFailureDetails, 'model'>): void {
    const noted = this.#notes.of(key);
    noted.failures += 1;
    noted.last = { status, reason, message: truncateMessage(message), time: nowInSeconds() };
  }

  /** Waits until all use recorded so far is written. */
  flush(): Promise<void> {
    return this.#notes.catchUp();
  }

  #write(notes: ReadonlyMap<number, PendingUsage>): Promise<void> {
    const time = nowInSeconds();
    const uses: KeyUsage[] = [...notes].map(([id, noted]) => ({ id, time, ...noted }));
    const { keys, inTransaction } = this.#dependencies;
    return inTransaction((transaction) => keys.within(transaction).recordUse(uses));
  }
}
