import { statusDays, statusHours } from '@headgate/contract';
import type { Outcome } from '@headgate/relay';
import { nowInSeconds } from '../clock.ts';
import { bucketOf } from '../logs/latency-buckets.ts';
import { hourOf, secondsPerDay, secondsPerHour } from '../logs/roll-up.ts';
import type { ModelLatency, ModelLatencyRepository } from './model-latency-repository.ts';

interface ModelTimesDependencies {
  readonly latencies: ModelLatencyRepository;
  readonly isOn: () => boolean;
  /** Whether some channel has the model: names that clients invent take no room. */
  readonly isServed: (model: string) => boolean;
  readonly onFailure: (error: unknown) => void;
}

type Finished = Pick<Outcome, 'model' | 'endedBy' | 'elapsedMs' | 'firstByteMs'>;
interface Counts {
  elapsed: number;
  first_byte: number;
}

const writeEveryMs = 60_000;

/** Counts how long models take. Requests leave a count in memory; it is written behind their back, and lost by a process that is killed. */
export class ModelTimes {
  readonly #dependencies: ModelTimesDependencies;
  /** By hour, model and bucket. */
  #counts = new Map<string, Counts>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #sweptHour = 0;

  constructor(dependencies: ModelTimesDependencies) {
    this.#dependencies = dependencies;
  }

  add({ model, endedBy, elapsedMs, firstByteMs }: Finished): void {
    const { isOn, isServed } = this.#dependencies;
    if (!isOn() || endedBy !== undefined || !isServed(model)) return;
    const hour = hourOf(nowInSeconds());
    this.#countsOf(hour, elapsedMs, model).elapsed += 1;
    if (firstByteMs > 0) this.#countsOf(hour, firstByteMs, model).first_byte += 1;
  }

  /** Waits until the table says what was known at the call. */
  async catchUp(): Promise<void> {
    await this.#writing;
    await this.#write();
  }

  #countsOf(hour: number, ms: number, model: string): Counts {
    const key = `${hour} ${bucketOf(Math.max(1, ms))} ${model}`;
    const known = this.#counts.get(key);
    if (known) return known;
    const counts = { elapsed: 0, first_byte: 0 };
    this.#counts.set(key, counts);
    this.#timer ??= setTimeout(() => void this.#write(), writeEveryMs).unref();
    return counts;
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
    if (this.#counts.size === 0) return;
    const hourly = [...this.#counts].map(([key, counts]) => ({ ...partsOf(key), ...counts }));
    this.#counts = new Map();
    const { latencies } = this.#dependencies;
    await latencies.add([...hourly, ...daily(hourly)]);
    const hour = hourOf(nowInSeconds());
    if (hour === this.#sweptHour) return;
    this.#sweptHour = hour;
    await latencies.forgetBefore('hour', hour - (statusHours + 1) * secondsPerHour);
    await latencies.forgetBefore('day', hour - (statusDays + 1) * secondsPerDay);
  }
}

function partsOf(key: string): Omit<ModelLatency, 'elapsed' | 'first_byte'> {
  const [hour = '', bucket = ''] = key.split(' ', 2);
  const model_name = key.slice(hour.length + bucket.length + 2);
  return { kind: 'hour', start: Number(hour), bucket: Number(bucket), model_name };
}

/** A statement may not add to one row twice: what falls into one day is added up before. */
function daily(hourly: readonly ModelLatency[]): readonly ModelLatency[] {
  const days = new Map<string, ModelLatency>();
  for (const each of hourly) {
    const start = each.start - (each.start % secondsPerDay);
    const key = `${start} ${each.bucket} ${each.model_name}`;
    const known = days.get(key);
    const elapsed = each.elapsed + (known?.elapsed ?? 0);
    days.set(key, { ...each, kind: 'day', start, elapsed, first_byte: each.first_byte + (known?.first_byte ?? 0) });
  }
  return [...days.values()];
}
