import {
  type ChannelOverview,
  type ChannelTrafficHour,
  channelTrafficHours,
  type ListedTraffic,
  logReasons,
  logType,
  splitCommas,
} from '@headgate/contract';
import { priceOf, priceUnitOf } from '@headgate/relay';
import { ApiError } from '../../platform/errors/api-error.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { ResponseCache } from '../../platform/runtime/response-cache.ts';
import { endOfHour, hourOf, secondsPerHour } from '../../records/logs/hours.ts';
import type { PriceCache } from '../prices/price-cache.ts';
import { priceInDollars } from '../prices/price-in-dollars.ts';
import type { ChannelOverviewRepository } from './channel-overview-repository.ts';

interface ChannelOverviewDependencies {
  readonly rows: ChannelOverviewRepository;
  readonly book: PriceCache;
  /** Models of a channel whose circuit breaker is open; an empty name means all models. */
  readonly pausedOn: (channel: number) => readonly string[];
  readonly cacheMs: number;
}

const maxFailures = 20;
/** Models beyond this number are omitted, starting with those without traffic. */
const maxModels = 500;

type Traffic = Pick<ChannelTrafficHour, 'requests' | 'failures' | 'quota' | 'cost' | 'uncosted_quota'>;
type Latencies = Pick<ChannelTrafficHour, 'elapsed_p50' | 'elapsed_p95' | 'first_byte_p50'>;
type Sums = Awaited<ReturnType<ChannelOverviewRepository['sums']>>[number];
type Sample = Awaited<ReturnType<ChannelOverviewRepository['latencies']>>[number];

/** The last 24 hours of each channel, cached briefly. */
export class ChannelOverviewService {
  readonly #dependencies: ChannelOverviewDependencies;
  readonly #overviews: ResponseCache<ChannelOverview>;
  readonly #traffic: ResponseCache<ReadonlyMap<number, ListedTraffic>>;

  constructor(dependencies: ChannelOverviewDependencies) {
    this.#dependencies = dependencies;
    this.#overviews = new ResponseCache(dependencies.cacheMs);
    this.#traffic = new ResponseCache(dependencies.cacheMs);
  }

  /** One row per channel with traffic, in the order of the ids. */
  async traffic(ids: readonly number[]): Promise<ListedTraffic[]> {
    const period = lastHours();
    const traffic = await this.#traffic.get(period, () => this.#readTraffic(period));
    return [...new Set(ids)].flatMap((id) => traffic.get(id) ?? []);
  }

  overview(id: number): Promise<ChannelOverview> {
    const period = lastHours();
    return this.#overviews.get({ id, ...period }, () => this.#readOverview(id, period));
  }

  async #readTraffic({ from, to }: Period): Promise<ReadonlyMap<number, ListedTraffic>> {
    const traffic = new Map<number, ListedTraffic>();
    for (const { channel, hour, type, requests } of await this.#dependencies.rows.traffic({ from, to })) {
      const row = traffic.get(channel) ?? {
        id: channel,
        requests: 0,
        failures: 0,
        hours: hoursSince(from).map(() => 0),
      };
      traffic.set(channel, row);
      const at = (hour - from) / secondsPerHour;
      row.requests += requests;
      row.hours[at] = (row.hours[at] ?? 0) + requests;
      if (type === logType.failure) row.failures += requests;
    }
    return traffic;
  }

  async #readOverview(id: number, period: Period): Promise<ChannelOverview> {
    const { rows, pausedOn } = this.#dependencies;
    const channel = await rows.channel(id);
    if (!channel) throw new ApiError('notFound');
    const sums = await rows.sums(id, period);
    const byHour = Map.groupBy(sums, ({ hour }) => hour);
    const hourly = hoursSince(period.from).map((hour) => ({ hour, ...addUp(byHour.get(hour) ?? []) }));
    const busy = hourly.filter(({ requests }) => requests > 0).map(({ hour }) => hour);
    const samples = await rows.latencies(id, busy);
    const samplesByHour = Map.groupBy(samples, ({ hour }) => hour);
    const failedSince = startOfLast(hourly, maxFailures);
    const failures =
      failedSince === undefined ? [] : await rows.failures(id, { ...period, from: failedSince }, maxFailures);
    return {
      ...period,
      total: { ...addUp(sums), ...latenciesOf(samples) },
      hours: hourly.map((hour) => ({ ...hour, ...latenciesOf(samplesByHour.get(hour.hour) ?? []) })),
      models: this.#models(channel, sums, new Set(pausedOn(id))),
      failures: failures.map((row) => ({
        ...row,
        reason: Object.hasOwn(logReasons, row.reason) ? row.reason : 'other',
      })),
    };
  }

  #models(
    channel: { readonly models: string; readonly type: number },
    sums: readonly Sums[],
    paused: ReadonlySet<string>,
  ): ChannelOverview['models'] {
    const { ratios } = this.#dependencies.book;
    const byModel = Map.groupBy(sums, ({ model_name }) => model_name);
    const names = new Set([...splitCommas(channel.models), ...byModel.keys()]);
    const traffic = [...names].filter(Boolean).map((model) => ({ model, ...addUp(byModel.get(model) ?? []) }));
    const shown = traffic.sort((one, other) => other.requests - one.requests).slice(0, maxModels);
    return shown.map(({ model, ...sum }) => {
      const price = priceOf(model, channel, '', ratios);
      const unit = priceUnitOf(model);
      const inDollars = priceInDollars({ ...price, group_ratio: 1 }, { unit, quotaPerUnit: ratios.QuotaPerUnit });
      return {
        ...sum,
        model,
        unit,
        price: price.unpriced ? null : inDollars,
        is_paused: paused.has(model) || paused.has(''),
      };
    });
  }
}

interface Period {
  readonly from: number;
  readonly to: number;
}

function lastHours(): Period {
  const now = nowInSeconds();
  return { from: hourOf(now) - (channelTrafficHours - 1) * secondsPerHour, to: endOfHour(now) };
}

const hoursSince = (from: number): readonly number[] =>
  Array.from({ length: channelTrafficHours }, (_, index) => from + index * secondsPerHour);

function addUp(rows: readonly Sums[]): Traffic {
  const sum = { requests: 0, failures: 0, quota: 0, cost: 0, uncosted_quota: 0 };
  for (const { type, requests, quota, cost, uncosted_quota } of rows) {
    sum.requests += requests;
    if (type === logType.failure) sum.failures += requests;
    sum.quota += quota;
    sum.cost += cost;
    sum.uncosted_quota += uncosted_quota;
  }
  return sum;
}

/** Start of the most recent period that contains `count` failures; undefined if there are none. */
function startOfLast(hourly: readonly { hour: number; failures: number }[], count: number): number | undefined {
  let start: number | undefined;
  let seen = 0;
  for (const { hour, failures } of hourly.toReversed()) {
    if (seen >= count) break;
    if (failures > 0) start = hour;
    seen += failures;
  }
  return start;
}

function latenciesOf(samples: readonly Sample[]): Latencies {
  const elapsed = samples.map(({ elapsed_time }) => elapsed_time).filter((ms) => ms > 0);
  const firstByte = samples.map(({ first_byte_time }) => first_byte_time).filter((ms) => ms > 0);
  return {
    elapsed_p50: exactPercentile(elapsed, 0.5),
    elapsed_p95: exactPercentile(elapsed, 0.95),
    first_byte_p50: exactPercentile(firstByte, 0.5),
  };
}

/** 0 if there are no values. */
function exactPercentile(values: readonly number[], share: number): number {
  const inOrder = values.toSorted((one, other) => one - other);
  return inOrder[Math.ceil(share * inOrder.length) - 1] ?? 0;
}
