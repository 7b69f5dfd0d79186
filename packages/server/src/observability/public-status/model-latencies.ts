import { statusDays, statusHours } from '@headgate/contract';
import type { Outcome } from '@headgate/relay';
import { BatchedUpdates } from '../../platform/runtime/batched-updates.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { hourOf, secondsPerDay, secondsPerHour } from '../../records/logs/hours.ts';
import { bucketOf } from '../../records/logs/latency-buckets.ts';
import type { ModelLatency, ModelLatencyRepository } from './model-latency-repository.ts';

interface ModelTimesDependencies {
  readonly latencies: ModelLatencyRepository;
  readonly isOn: () => boolean;
  /** True if a channel has the model, so that names invented by clients use no memory. */
  readonly isServed: (model: string) => boolean;
  readonly onFailure: (error: unknown) => void;
}

type Finished = Pick<Outcome, 'model' | 'endedBy' | 'elapsedMs' | 'firstByteMs'>;
interface Counts {
  elapsed: number;
  first_byte: number;
}

const writeEveryMs = 60_000;

/** Counts latencies of models. Collected in memory and written in the background; lost when the process is killed. */
export class ModelLatencies {
  readonly #dependencies: ModelTimesDependencies;
  /** Counts by hour, model and bucket. */
  readonly #counts: BatchedUpdates<string, Counts>;
  #sweptHour = 0;

  constructor(dependencies: ModelTimesDependencies) {
    this.#dependencies = dependencies;
    this.#counts = new BatchedUpdates<string, Counts>({
      empty: () => ({ elapsed: 0, first_byte: 0 }),
      write: (counts) => this.#write(counts),
      everyMs: writeEveryMs,
      onFailure: dependencies.onFailure,
    });
  }

  add({ model, endedBy, elapsedMs, firstByteMs }: Finished): void {
    const { isOn, isServed } = this.#dependencies;
    if (!isOn() || endedBy !== undefined || !isServed(model)) return;
    const hour = hourOf(nowInSeconds());
    this.#countsOf(hour, elapsedMs, model).elapsed += 1;
    if (firstByteMs > 0) this.#countsOf(hour, firstByteMs, model).first_byte += 1;
  }

  /** Waits until all counts so far are written. */
  catchUp(): Promise<void> {
    return this.#counts.catchUp();
  }

  #countsOf(hour: number, ms: number, model: string): Counts {
    return this.#counts.of(`${hour} ${bucketOf(Math.max(1, ms))} ${model}`);
  }

  async #write(counts: ReadonlyMap<string, Counts>): Promise<void> {
    const hourly = [...counts].map(([key, each]) => ({ ...partsOf(key), ...each }));
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

/** A statement cannot add to a row twice, so counts of the same day are summed first. */
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
