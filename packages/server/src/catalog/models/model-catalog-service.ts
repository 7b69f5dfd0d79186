import {
  type CatalogModel,
  channelStatus,
  logType,
  type ModelAvailability,
  maxServingChannels,
  type ServingChannel,
  type ServingState,
} from '@headgate/contract';
import { lookUpModelFacts } from '@headgate/providers';
import { contextWindowOf, priceOf, priceUnitOf } from '@headgate/relay';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { OptionService } from '../../platform/options/option-service.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { ResponseCache } from '../../platform/runtime/response-cache.ts';
import { hourOf, secondsPerHour } from '../../records/logs/hours.ts';
import type { PriceCache } from '../prices/price-cache.ts';
import { priceInDollars } from '../prices/price-in-dollars.ts';
import { knownModels } from './known-models.ts';
import type { ChannelModel, ModelCatalogRepository, ModelRequests } from './model-catalog-repository.ts';

/** What the caller may see: the public catalog, the models of their groups, or all models. */
export type CatalogReader =
  | { readonly role: 'visitor' }
  | { readonly role: 'user'; readonly groups: readonly string[] }
  | { readonly role: 'admin' };

interface ModelCatalogDependencies {
  readonly rows: ModelCatalogRepository;
  readonly book: PriceCache;
  readonly options: OptionService;
  /** Remaining cooldown of a channel, in milliseconds. */
  readonly cooldownOf: (channel: number) => number;
  /** Models of a channel whose circuit breaker is open; an empty name means all models. */
  readonly pausedOn: (channel: number) => readonly string[];
  readonly cacheMs: number;
}

/** A channel is failing if at least this share of a minimum number of recent requests failed. */
const failingShare = 0.2;
const fewestFailures = 3;

/** A channel type without type-specific prices. */
const anyChannel = { type: 0 };

type Serving = ReadonlyMap<string, readonly ServingChannel[]>;

/** Models with price, metadata and availability. */
export class ModelCatalogService {
  readonly #dependencies: ModelCatalogDependencies;
  /** Responses for users and visitors. Admins see their own changes immediately. */
  readonly #catalogs: ResponseCache<CatalogModel[]>;
  readonly #requests: ResponseCache<readonly ModelRequests[]>;

  constructor(dependencies: ModelCatalogDependencies) {
    this.#dependencies = dependencies;
    this.#catalogs = new ResponseCache(dependencies.cacheMs);
    this.#requests = new ResponseCache(dependencies.cacheMs);
  }

  async read(reader: CatalogReader): Promise<CatalogModel[]> {
    if (reader.role === 'admin') return this.#all();
    if (reader.role === 'user') return this.#ofGroups(reader.groups);
    const { ModelCatalogEnabled, ModelCatalogGroup } = this.#dependencies.options.values;
    if (!ModelCatalogEnabled) throw new ApiError('notSignedIn');
    return this.#ofGroups([ModelCatalogGroup]);
  }

  async #all(): Promise<CatalogModel[]> {
    const serving = await this.#serving(await this.#dependencies.rows.offered());
    const names = new Set([...serving.keys(), ...knownModels.map(({ id }) => id)]);
    return [...names].sort().map((model) => {
      const channels = serving.get(model) ?? [];
      return {
        ...this.#factsOf(model, ''),
        availability: availabilityOf(channels),
        channels: channels.slice(0, maxServingChannels),
        channel_count: channels.length,
      };
    });
  }

  /** Never contains channels. */
  #ofGroups(groups: readonly string[]): Promise<CatalogModel[]> {
    return this.#catalogs.get({ groups }, async () => {
      const serving = await this.#serving(await this.#dependencies.rows.offeredTo(groups));
      return [...serving.keys()].sort().map((model) => ({
        ...this.#factsOf(model, groups[0] ?? ''),
        availability: availabilityOf(serving.get(model) ?? []) === 'available' ? 'available' : 'degraded',
      }));
    });
  }

  #factsOf(model: string, group: string): Omit<CatalogModel, 'availability'> {
    const { ratios } = this.#dependencies.book;
    const price = priceOf(model, anyChannel, group, ratios);
    const charged = group === '' ? { ...price, group_ratio: 1 } : price;
    const unit = priceUnitOf(model);
    const { provider, capabilities } = lookUpModelFacts(model);
    return {
      model,
      provider,
      unit,
      price: price.unpriced ? null : priceInDollars(charged, { unit, quotaPerUnit: ratios.QuotaPerUnit }),
      context_window: contextWindowOf(model) ?? null,
      capabilities: [...capabilities],
    };
  }

  async #serving(offered: readonly ChannelModel[]): Promise<Serving> {
    const since = hourOf(nowInSeconds()) - secondsPerHour;
    const requests = await this.#requests.get({ since }, () => this.#dependencies.rows.requests(since));
    const counts = Map.groupBy(requests, ({ model, channel }) => `${channel} ${model}`);
    const byModel = new Map<string, ServingChannel[]>();
    for (const { model, status, ...channel } of offered) {
      const counted = countRequests(counts.get(`${channel.id} ${model}`) ?? []);
      const state = this.#stateOf(channel.id, model, { status, ...counted });
      const channels = byModel.get(model) ?? [];
      byModel.set(model, channels);
      channels.push({ ...channel, state, ...counted });
    }
    return byModel;
  }

  #stateOf(id: number, model: string, { status, requests, failures }: Recent): ServingState {
    const { cooldownOf, pausedOn } = this.#dependencies;
    if (status !== channelStatus.enabled) return 'disabled';
    const paused = pausedOn(id);
    if (cooldownOf(id) > 0 || paused.includes(model) || paused.includes('')) return 'cooling_down';
    return failures >= fewestFailures && failures >= failingShare * requests ? 'failing' : 'healthy';
  }
}

interface Recent {
  readonly status: number;
  readonly requests: number;
  readonly failures: number;
}

function countRequests(rows: readonly ModelRequests[]): { requests: number; failures: number } {
  const total = (counted: readonly ModelRequests[]) => counted.reduce((sum, row) => sum + row.requests, 0);
  return { requests: total(rows), failures: total(rows.filter(({ type }) => type === logType.failure)) };
}

/** Uses the best channel's value, because requests fail over to that channel. */
function availabilityOf(channels: readonly ServingChannel[]): ModelAvailability {
  if (channels.length === 0) return 'not_offered';
  const states = new Set(channels.map(({ state }) => state));
  if (states.has('healthy')) return 'available';
  return states.has('failing') ? 'degraded' : 'unavailable';
}
