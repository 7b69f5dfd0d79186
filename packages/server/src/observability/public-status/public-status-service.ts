import {
  type Incident,
  incidentHistoryDays,
  type ModelStatus,
  maxShownIncidents,
  type PublicStatus,
  statusDays,
  statusHours,
} from '@headgate/contract';
import type { Change } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { OptionService } from '../../platform/options/option-service.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { endOfHour, hourOf, secondsPerDay, secondsPerHour } from '../../records/logs/hours.ts';
import { percentile } from '../../records/logs/latency-buckets.ts';
import type { IncidentService } from '../incidents/incident-service.ts';
import type { ModelLatencies } from './model-latencies.ts';
import type { ModelLatencyRepository } from './model-latency-repository.ts';
import type { CountedPeriod, PublicStatusRepository } from './public-status-repository.ts';

interface PublicStatusDependencies {
  readonly options: OptionService;
  readonly counts: PublicStatusRepository;
  readonly latencies: ModelLatencyRepository;
  readonly times: ModelLatencies;
  readonly incidents: IncidentService;
}

/** Cached for this long, regardless of the number of visitors. */
const cacheSeconds = 60;
/** Past days hardly change, except when logs are cleaned up. */
const pastCacheSeconds = 3600;
const maxModels = 200;

/** Successful and failed requests by model and step. */
type Steps = ReadonlyMap<string, ReadonlyMap<number, Tally>>;
type Models = Omit<PublicStatus, 'incidents'>;
interface Tally {
  good: number;
  bad: number;
}

/** Public status of the models. Cached for a minute, so that many visitors cause no more queries than one. */
export class PublicStatusService {
  readonly #dependencies: PublicStatusDependencies;
  readonly #now = new CachedValue<Models>(cacheSeconds);
  readonly #past = new CachedValue<Steps>(pastCacheSeconds);
  readonly #incidents = new CachedValue<Incident[]>(cacheSeconds);

  constructor(dependencies: PublicStatusDependencies) {
    this.#dependencies = dependencies;
  }

  onChange(change: Change): void {
    if (change !== 'incidents' && change !== 'everything') return;
    this.#incidents.forget();
    // Contains the time with which pages compare the start and end of incidents.
    this.#now.forget();
  }

  async read(): Promise<PublicStatus> {
    const { StatusPageEnabled, StatusPageGroup, LogConsumeEnabled } = this.#dependencies.options.values;
    if (!StatusPageEnabled) throw new ApiError('noStatusPage');
    const models = await this.#now.get(`${LogConsumeEnabled} ${StatusPageGroup}`, () =>
      this.#addUp(StatusPageGroup, LogConsumeEnabled),
    );
    const incidents = await this.#incidents.get('', () =>
      this.#dependencies.incidents.since(nowInSeconds() - incidentHistoryDays * secondsPerDay, maxShownIncidents),
    );
    return { ...models, incidents };
  }

  async #addUp(group: string, isLogged: boolean): Promise<Models> {
    const time = nowInSeconds();
    const first_hour = hourOf(time) - (statusHours - 1) * secondsPerHour;
    const first_day = dayOf(time) - (statusDays - 1) * secondsPerDay;
    const models = await this.#dependencies.counts.models(group, maxModels);
    if (models.length === 0) return { time, first_hour, first_day, models: [] };
    // Without logs of successful requests, the failures alone would look like outages.
    const { hours, days } = isLogged
      ? await this.#tallies(models, time, { first_hour, first_day })
      : { hours: noSteps, days: noSteps };
    await this.#dependencies.times.catchUp();
    const ofDay = await this.#times('hour', first_hour, models);
    const ofQuarter = await this.#times('day', first_day, models);
    const statusOf = (model: string): ModelStatus => {
      const hourly = stepsFrom(hours.get(model), first_hour / secondsPerHour, statusHours);
      const daily = stepsFrom(days.get(model), first_day / secondsPerDay, statusDays);
      return {
        model,
        day: { availability: availabilityOf(hourly), ...timesOf(ofDay.get(model)) },
        quarter: { availability: availabilityOf(daily), ...timesOf(ofQuarter.get(model)) },
        hours: hourly.map((tally) => availabilityOf([tally])),
        days: daily.map((tally) => availabilityOf([tally])),
      };
    };
    return { time, first_hour, first_day, models: models.map(statusOf) };
  }

  async #tallies(
    models: readonly string[],
    time: number,
    { first_hour, first_day }: Pick<PublicStatus, 'first_hour' | 'first_day'>,
  ): Promise<{ readonly hours: Steps; readonly days: Steps }> {
    const today = dayOf(time);
    const to = endOfHour(time);
    const hours = await this.#steps({ models, from: first_hour, to, seconds: secondsPerHour });
    const todays = await this.#steps({ models, from: today, to, seconds: secondsPerDay });
    const past = await this.#past.get(`${today} ${models.join('\0')}`, () =>
      this.#steps({ models, from: first_day, to: today - 1, seconds: secondsPerDay }),
    );
    const both = (model: string) => new Map([...(past.get(model) ?? []), ...(todays.get(model) ?? [])]);
    return { hours, days: new Map(models.map((model) => [model, both(model)])) };
  }

  async #steps(span: CountedPeriod): Promise<Steps> {
    const { counts } = this.#dependencies;
    const steps = new Map<string, Map<number, Tally>>();
    const tallyOf = (model: string, step: number): Tally => {
      const own = steps.get(model) ?? new Map<number, Tally>();
      steps.set(model, own);
      const tally = own.get(step) ?? { good: 0, bad: 0 };
      own.set(step, tally);
      return tally;
    };
    for (const { model_name, step, count } of await counts.succeeded(span)) tallyOf(model_name, step).good += count;
    for (const { model_name, step, count } of await counts.failed(span)) tallyOf(model_name, step).bad += count;
    return steps;
  }

  async #times(kind: 'hour' | 'day', from: number, models: readonly string[]) {
    return Map.groupBy(await this.#dependencies.latencies.since(kind, from, models), ({ model_name }) => model_name);
  }
}

const noSteps: Steps = new Map();

const dayOf = (time: number): number => time - (time % secondsPerDay);

const stepsFrom = (steps: ReadonlyMap<number, Tally> | undefined, first: number, count: number): readonly Tally[] =>
  Array.from({ length: count }, (_, index) => steps?.get(first + index) ?? { good: 0, bad: 0 });

/** Rounded to a tenth of a percent, so that it does not reveal the number of requests. */
function availabilityOf(tallies: readonly Tally[]): number | null {
  const good = tallies.reduce((sum, tally) => sum + tally.good, 0);
  const all = tallies.reduce((sum, tally) => sum + tally.bad, good);
  return all === 0 ? null : Math.floor((good / all) * 1000) / 1000;
}

interface Bucket {
  readonly bucket: number;
  readonly elapsed: number;
  readonly first_byte: number;
}

const timesOf = (buckets: readonly Bucket[] = []) => ({
  latency:
    percentile(
      buckets.map(({ bucket, elapsed }) => ({ bucket, count: elapsed })),
      0.5,
    ) ?? null,
  first_byte:
    percentile(
      buckets.map(({ bucket, first_byte }) => ({ bucket, count: first_byte })),
      0.5,
    ) ?? null,
});

/** Caches one result for a few seconds. Concurrent calls share one computation; failures are not cached. */
class CachedValue<T> {
  readonly #seconds: number;
  #known: { readonly key: string; readonly until: number; readonly response: Promise<T> } | undefined;

  constructor(seconds: number) {
    this.#seconds = seconds;
  }

  forget(): void {
    this.#known = undefined;
  }

  /** Recomputes the value when the key changes. */
  get(key: string, make: () => Promise<T>): Promise<T> {
    const now = nowInSeconds();
    if (this.#known?.key === key && now < this.#known.until) return this.#known.response;
    const response = make();
    const made = { key, until: now + this.#seconds, response };
    this.#known = made;
    response.catch(() => {
      if (this.#known === made) this.#known = undefined;
    });
    return response;
  }
}
