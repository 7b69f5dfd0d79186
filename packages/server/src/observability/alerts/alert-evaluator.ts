import type { AlertRule, Ledger } from '@headgate/contract';
import { parseJson } from '@headgate/dialects';
import { type BucketCount, percentile } from '../../records/logs/latency-buckets.ts';
import type { AlertCache } from './alert-cache.ts';
import type { AlertChannelRepository } from './alert-channel-repository.ts';
import type { AlertEvent } from './alert-event.ts';
import type { AlertMinuteRepository } from './alert-minute-repository.ts';
import type { AlertQueueRepository } from './alert-queue-repository.ts';
import type { ChannelMinuteStats, MinuteRow } from './channel-minutes.ts';

/** Results of one channel, or of all requests, within a rule's window. */
interface MeasuredWindow {
  readonly requests: number;
  readonly failures: number;
  readonly latencies: readonly BucketCount[];
}

/** Values of the alert when a measurement exceeds the rule; undefined otherwise. */
type Measure = (rule: AlertRule, seen: MeasuredWindow) => Readonly<Record<string, number>> | undefined;

const slowest = 0.95;

const measures: Readonly<Partial<Record<AlertRule['kind'], Measure>>> = {
  failure_rate: ({ threshold, least_requests }, { requests, failures }) => {
    const percent = (failures / requests) * 100;
    return requests >= least_requests && percent > threshold
      ? { percent: rounded(percent), requests, failures, threshold }
      : undefined;
  },
  latency: ({ threshold, least_requests }, { latencies }) => {
    const requests = latencies.reduce((sum, { count }) => sum + count, 0);
    const seconds = (percentile(latencies, slowest) ?? 0) / 1000;
    return requests >= least_requests && seconds > threshold
      ? { seconds: rounded(seconds), requests, threshold }
      : undefined;
  },
};

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** Events of all measured rules for the minutes until now. Pure. */
function measuredEvents(
  rules: readonly AlertRule[],
  minutes: readonly MinuteRow[],
  nameOf: (channel: number) => string | undefined,
  now: number,
): AlertEvent[] {
  return rules.flatMap((rule) => {
    const measure = measures[rule.kind];
    const from = now - (now % 60) - rule.window_minutes * 60;
    const rows = minutes.filter(({ minute, channel }) => minute > from && (channel === 0) === (rule.per === 'gateway'));
    return [...Map.groupBy(rows, ({ channel }) => channel)].flatMap(([channel, ofChannel]) => {
      const values = measure?.(rule, seenIn(ofChannel));
      const name = channel === 0 ? 'all requests · 所有请求' : nameOf(channel);
      return values && name !== undefined ? [eventOf(rule, channel, { ...values, channel: name })] : [];
    });
  });
}

function eventOf(rule: AlertRule, channel: number, values: AlertEvent['values']): AlertEvent {
  return {
    kind: rule.kind,
    subject: channel === 0 ? 'gateway' : `channel:${channel}`,
    ...(channel !== 0 && { channel, page: `/channel/view/${channel}` }),
    values: { ...values, minutes: rule.window_minutes },
    isFor: ({ id }) => id === rule.id,
  };
}

function seenIn(rows: readonly MinuteRow[]): MeasuredWindow {
  const latencies = new Map<number, number>();
  for (const row of rows)
    for (const [bucket, count] of parseJson(row.latencies) as readonly (readonly [number, number])[])
      latencies.set(bucket, (latencies.get(bucket) ?? 0) + count);
  const sum = (of: (row: MinuteRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  return {
    requests: sum(({ requests }) => requests),
    failures: sum(({ failures }) => failures),
    latencies: [...latencies].map(([bucket, count]) => ({ bucket, count })),
  };
}

interface AlertEvaluatorDependencies {
  readonly book: AlertCache;
  readonly minutes: ChannelMinuteStats;
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
/** Slightly less than a minute, so that a timer that fires early does not skip a minute. */
const watchSeconds = 55;
/** Checked less often, because the ledger is summed over all users. */
const ledgerSeconds = 600;
const keptMinutes = 180;

/**
 * Checks failure rates, latencies, balances and the ledger. Every node writes its results; each minute one node
 * evaluates them.
 */
export class AlertEvaluator {
  readonly #dependencies: AlertEvaluatorDependencies;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(dependencies: AlertEvaluatorDependencies) {
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
