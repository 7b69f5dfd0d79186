import type { Ledger } from '@headgate/contract';
import type { AlertCache } from './alert-cache.ts';
import type { AlertChannelRepository } from './alert-channel-repository.ts';
import type { AlertEvent } from './alert-event.ts';
import type { AlertMinuteRepository } from './alert-minute-repository.ts';
import type { AlertQueueRepository } from './alert-queue-repository.ts';
import type { ChannelMinutes } from './channel-minutes.ts';
import { measuredEvents } from './measured-events.ts';

interface AlertWatchDependencies {
  readonly book: AlertCache;
  readonly minutes: ChannelMinutes;
  readonly rows: AlertMinuteRepository;
  readonly queue: AlertQueueRepository;
  readonly facts: AlertChannelRepository;
  readonly ledger: { checkBalances(): Promise<Pick<Ledger, 'drift' | 'set_aside'>> };
  readonly raise: (event: AlertEvent) => void;
  /** Name of this process. */
  readonly node: string;
  readonly now: () => number;
  readonly everyMs: number | undefined;
  readonly onFailure: (error: unknown) => void;
}

const usualMs = 60_000;
/** Slightly less than a minute, so that an early timer skips no minute. */
const watchSeconds = 55;
/** Checked less often, because the ledger is summed over all users. */
const ledgerSeconds = 600;
const keptMinutes = 180;

/**
 * Checks failure rates, latencies, balances and the ledger. Every node writes its results; each minute one node
 * evaluates them.
 */
export class AlertWatch {
  readonly #dependencies: AlertWatchDependencies;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(dependencies: AlertWatchDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    this.#timer = setTimeout(() => {
      this.#running = this.#checkNow();
    }, this.#dependencies.everyMs ?? usualMs).unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #checkNow(): Promise<void> {
    await this.#look().catch(this.#dependencies.onFailure);
    if (!this.#isClosed) this.start();
  }

  /** Queries the database only for alert kinds that have rules. */
  async #look(): Promise<void> {
    const { book, minutes, rows, node, now } = this.#dependencies;
    const time = now();
    const seen = minutes.take(time - (time % 60));
    if (seen.length > 0) await rows.write(node, seen);
    const measured = [...book.rulesOf('failure_rate'), ...book.rulesOf('latency')];
    if (measured.length > 0 && (await this.#claimCheck('minutes', watchSeconds))) {
      const channels = new Map((await this.#dependencies.facts.channels()).map(({ id, name }) => [id, name]));
      const since = await rows.since(time - 3720);
      this.#raise(measuredEvents(measured, since, (id) => channels.get(id), time));
      await rows.removeBefore(time - keptMinutes * 60);
    }
    if (book.rulesOf('channel_balance').length > 0 && (await this.#claimCheck('balances', watchSeconds)))
      this.#raise(await this.#balances());
    if (book.rulesOf('ledger_drift').length > 0 && (await this.#claimCheck('ledger', ledgerSeconds)))
      this.#raise(await this.#drift());
  }

  /** True if this node has to run the check now. */
  #claimCheck(what: string, repeatSeconds: number): Promise<boolean> {
    const { queue, now } = this.#dependencies;
    return queue.claim({ rule: 0, subject: what, time: now(), repeatSeconds });
  }

  #raise(events: readonly AlertEvent[]): void {
    for (const event of events) this.#dependencies.raise(event);
  }

  async #balances(): Promise<AlertEvent[]> {
    const { book, facts } = this.#dependencies;
    const thresholds = new Set(book.rulesOf('channel_balance').map(({ threshold }) => threshold));
    const channels = await facts.balances();
    return [...thresholds].flatMap((threshold) =>
      channels
        .filter(({ balance }) => balance < threshold)
        .map(({ id, name, balance }) => ({
          kind: 'channel_balance' as const,
          subject: `channel:${id}`,
          channel: id,
          page: `/channel/view/${id}`,
          values: { id, channel: name, left: `$${balance.toFixed(2)}`, threshold: `$${threshold}` },
          isFor: (rule: { readonly threshold: number }) => rule.threshold === threshold,
        })),
    );
  }

  async #drift(): Promise<AlertEvent[]> {
    const { drift, set_aside: aside } = await this.#dependencies.ledger.checkBalances();
    if (drift === 0 && aside === 0) return [];
    return [{ kind: 'ledger_drift', subject: 'ledger', page: '/', values: { drift, aside } }];
  }
}
