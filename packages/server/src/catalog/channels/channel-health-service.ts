import type { LogReason } from '@headgate/contract';
import type { Change, InTransaction } from '../../platform/db/transaction.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { GatheredNotes } from '../../platform/runtime/gathered-notes.ts';
import type { ChannelHealthRepository } from './channel-health-repository.ts';
import { storable } from './storable-message.ts';

/** A failure of a channel, in words that name no secret. */
export interface ChannelFailureFacts {
  /** Status of the upstream; 0 when it did not answer. */
  readonly status: number;
  readonly reason: LogReason;
  readonly message: string;
  readonly model: string;
}

export interface ChannelTestFacts {
  readonly model: string;
  /** Milliseconds until the answer. */
  readonly ms: number;
  /** Undefined when it answered. */
  readonly failure: Omit<ChannelFailureFacts, 'model'> | undefined;
}

/** What requests found out since it was last written down. */
interface Findings {
  /** It answered before the failures that are counted here. */
  hasAnswered: boolean;
  failures: number;
  last: (ChannelFailureFacts & { readonly time: number }) | undefined;
}

interface ChannelHealthServiceDependencies {
  readonly channels: ChannelHealthRepository;
  readonly inTransaction: InTransaction;
  readonly onFailure: (error: unknown) => void;
}

/** However many requests fail, a channel is written down this often at most. */
const writeEveryMs = 1000;

/**
 * Keeps what tests and requests found out about channels. Requests only leave a note in memory: it is written behind
 * their back, together with all others of the same second, and before anybody looks at the channels.
 */
export class ChannelHealthService {
  readonly #dependencies: ChannelHealthServiceDependencies;
  /** Which channels the table may call failing; the others' answers are no news. */
  readonly #failing = new Set<number>();
  readonly #findings: GatheredNotes<number, Findings>;

  constructor(dependencies: ChannelHealthServiceDependencies) {
    this.#dependencies = dependencies;
    this.#findings = new GatheredNotes<number, Findings>({
      empty: () => ({ hasAnswered: false, failures: 0, last: undefined }),
      write: (findings) => this.#write(findings),
      everyMs: writeEveryMs,
      onFailure: dependencies.onFailure,
    });
  }

  async load(): Promise<void> {
    for (const id of await this.#dependencies.channels.failing()) this.#failing.add(id);
  }

  /** A request failed here, by the channel's fault. */
  failed(id: number, failure: ChannelFailureFacts): void {
    const findings = this.#findings.of(id);
    findings.failures += 1;
    findings.last = { ...failure, message: storable(failure.message), time: nowInSeconds() };
    this.#failing.add(id);
  }

  /** A request was answered. Almost always that is no news, and costs nothing. */
  answered(id: number): void {
    if (this.#failing.size === 0 || !this.#failing.delete(id)) return;
    const findings = this.#findings.of(id);
    findings.hasAnswered = true;
    findings.failures = 0;
  }

  /** Written at once: who tests waits for it. */
  async tested(id: number, { model, ms, failure }: ChannelTestFacts): Promise<void> {
    await this.catchUp();
    await this.#dependencies.channels.recordTest(id, {
      test_time: nowInSeconds(),
      response_time: failure ? 0 : ms,
      tested_model: model,
      test_status: failure?.status ?? 0,
      test_reason: failure?.reason ?? '',
      test_message: storable(failure?.message ?? ''),
      is_failing: failure ? 1 : 0,
      ...(!failure && { failure_count: 0 }),
    });
    if (failure) this.#failing.add(id);
    else this.#failing.delete(id);
  }

  /** Another node found a channel failing; its next answer here is news. */
  async onChange(change: Change): Promise<void> {
    const [kind, id] = change.split(':');
    if (kind === 'failing') this.#failing.add(Number(id));
    else if (kind === 'everything') await this.load();
  }

  /** Waits until the table says what was known at the call. */
  catchUp(): Promise<void> {
    return this.#findings.catchUp();
  }

  #write(findings: ReadonlyMap<number, Findings>): Promise<void> {
    // In the order of their ids, as charges lock channels.
    const inOrder = [...findings].sort(([one], [other]) => one - other);
    return this.#dependencies.inTransaction(async (transaction) => {
      const channels = this.#dependencies.channels.within(transaction);
      for (const [id, { hasAnswered, failures, last }] of inOrder) {
        await channels.recordRequests(id, { hasAnswered, failures, last });
        if (failures > 0) transaction.changed(`failing:${id}`);
      }
    });
  }
}
