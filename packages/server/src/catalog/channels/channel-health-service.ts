import type { LogReason } from '@headgate/contract';
import type { Change, InTransaction } from '../../platform/db/transaction.ts';
import { BatchedUpdates } from '../../platform/runtime/batched-updates.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { ChannelHealthRepository } from './channel-health-repository.ts';
import { truncateMessage } from './truncate-message.ts';

/** A channel failure; the message contains no secrets. */
export interface ChannelFailureDetails {
  /** Upstream status; 0 without a response. */
  readonly status: number;
  readonly reason: LogReason;
  readonly message: string;
  readonly model: string;
}

export interface ChannelTestResult {
  readonly model: string;
  /** Response time in milliseconds. */
  readonly ms: number;
  /** Undefined on success. */
  readonly failure: Omit<ChannelFailureDetails, 'model'> | undefined;
}

/** Results of requests since the last write. */
interface PendingResults {
  /** A request succeeded before the failures counted here. */
  hasResponded: boolean;
  failures: number;
  last: (ChannelFailureDetails & { readonly time: number }) | undefined;
}

interface ChannelHealthServiceDependencies {
  readonly channels: ChannelHealthRepository;
  readonly inTransaction: InTransaction;
  readonly onFailure: (error: unknown) => void;
}

/** Minimum interval between writes for a channel, however many requests fail. */
const writeIntervalMs = 1000;

/**
 * Records results of tests and requests for channels. Request results are collected in memory and written once per
 * second, and before channels are read.
 */
export class ChannelHealthService {
  readonly #dependencies: ChannelHealthServiceDependencies;
  /** Channels that may be marked as failing in the database; a success on any other channel needs no write. */
  readonly #failing = new Set<number>();
  readonly #findings: BatchedUpdates<number, PendingResults>;

  constructor(dependencies: ChannelHealthServiceDependencies) {
    this.#dependencies = dependencies;
    this.#findings = new BatchedUpdates<number, PendingResults>({
      empty: () => ({ hasResponded: false, failures: 0, last: undefined }),
      write: (findings) => this.#write(findings),
      everyMs: writeIntervalMs,
      onFailure: dependencies.onFailure,
    });
  }

  async load(): Promise<void> {
    for (const id of await this.#dependencies.channels.failing()) this.#failing.add(id);
  }

  /** Records a request that failed because of the channel. */
  failed(id: number, failure: ChannelFailureDetails): void {
    const findings = this.#findings.of(id);
    findings.failures += 1;
    findings.last = { ...failure, message: truncateMessage(failure.message), time: nowInSeconds() };
    this.#failing.add(id);
  }

  /** Records a successful request. Usually does nothing. */
  succeeded(id: number): void {
    if (this.#failing.size === 0 || !this.#failing.delete(id)) return;
    const findings = this.#findings.of(id);
    findings.hasResponded = true;
    findings.failures = 0;
  }

  /** Written immediately, because the caller waits for it. */
  async tested(id: number, { model, ms, failure }: ChannelTestResult): Promise<void> {
    await this.flush();
    await this.#dependencies.channels.recordTest(id, {
      test_time: nowInSeconds(),
      response_time: failure ? 0 : ms,
      tested_model: model,
      test_status: failure?.status ?? 0,
      test_reason: failure?.reason ?? '',
      test_message: truncateMessage(failure?.message ?? ''),
      is_failing: failure ? 1 : 0,
      ...(!failure && { failure_count: 0 }),
    });
    if (failure) this.#failing.add(id);
    else this.#failing.delete(id);
  }

  /** Another node marked a channel as failing, so the next success on this node must be written. */
  async onChange(change: Change): Promise<void> {
    const [kind, id] = change.split(':');
    if (kind === 'failing') this.#failing.add(Number(id));
    else if (kind === 'everything') await this.load();
  }

  /** Waits until all results recorded so far are written. */
  flush(): Promise<void> {
    return this.#findings.catchUp();
  }

  #write(findings: ReadonlyMap<number, PendingResults>): Promise<void> {
    // In id order, the order in which charges lock channels, to avoid deadlocks.
    const inOrder = [...findings].sort(([one], [other]) => one - other);
    return this.#dependencies.inTransaction(async (transaction) => {
      const channels = this.#dependencies.channels.within(transaction);
      for (const [id, { hasResponded, failures, last }] of inOrder) {
        await channels.recordRequests(id, { hasResponded, failures, last });
        if (failures > 0) transaction.changed(`failing:${id}`);
      }
    });
  }
}
