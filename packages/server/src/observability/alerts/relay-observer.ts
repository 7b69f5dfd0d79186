import type { Outcome } from '@headgate/relay';
import type { AlertCache } from './alert-cache.ts';
import type { AlertEvent } from './alert-event.ts';
import type { ChannelMinuteStats } from './channel-minutes.ts';

interface RelayWitnessDependencies {
  readonly book: AlertCache;
  readonly minutes: ChannelMinuteStats;
  /** True if a model has a price on a channel. */
  readonly isPriced: (model: string, channel: number) => boolean;
  readonly raise: (event: AlertEvent) => void;
  readonly now: () => number;
}

/** Maximum number of models remembered as reported; repeated alerts follow the rule's repeat interval. */
const maxReportedModels = 1000;
const reportAgainSeconds = 60;

type Finished = Pick<Outcome, 'channel' | 'model' | 'quota' | 'endedBy' | 'firstByteMs' | 'elapsedMs'>;

/** Observes finished requests and counts in memory what rules need. Does nothing without such rules. */
export class RelayObserver {
  readonly #dependencies: RelayWitnessDependencies;
  readonly #reported = new Map<string, number>();

  constructor(dependencies: RelayWitnessDependencies) {
    this.#dependencies = dependencies;
  }

  /** A channel failed; another may have served the client. */
  failed(channel: number): void {
    if (this.#isMeasuring()) this.#dependencies.minutes.note(this.#minute(), channel, undefined);
  }

  finished(outcome: Finished): void {
    if (this.#isMeasuring()) this.#measure(outcome);
    if (outcome.quota > 0 && this.#dependencies.book.rulesOf('unpriced_model').length > 0) this.#price(outcome);
  }

  /** A response that the client ended early only proves that the channel had started to respond. */
  #measure({ channel, endedBy, firstByteMs, elapsedMs }: Finished): void {
    const { minutes } = this.#dependencies;
    const [minute, ms] = [this.#minute(), firstByteMs || elapsedMs];
    const hasResponded = endedBy === undefined || (endedBy === 'client' && firstByteMs > 0);
    if (hasResponded && channel !== 0) minutes.note(minute, channel, ms);
    if (hasResponded || endedBy !== 'client') minutes.note(minute, 0, hasResponded ? ms : undefined);
  }

  #price({ model, channel }: Finished): void {
    const { isPriced, raise, now } = this.#dependencies;
    const time = now();
    const reported = this.#reported.get(model);
    if ((reported !== undefined && time < reported + reportAgainSeconds) || isPriced(model, channel)) return;
    if (this.#reported.size >= maxReportedModels) this.#reported.clear();
    this.#reported.set(model, time);
    raise({ kind: 'unpriced_model', subject: `model:${model}`, page: '/prices', values: { model } });
  }

  #isMeasuring(): boolean {
    const { book } = this.#dependencies;
    return book.rulesOf('failure_rate').length > 0 || book.rulesOf('latency').length > 0;
  }

  #minute(): number {
    const time = this.#dependencies.now();
    return time - (time % 60);
  }
}
