import { namesWithReasoningSuffix } from '@headgate/providers';
import { RelayError } from '@headgate/relay';
import type { PriceCache } from '../../catalog/prices/price-cache.ts';
import type { OptionService } from '../../platform/options/option-service.ts';
import { billingReport } from '../callers/billing-report.ts';
import type { CallerCache } from '../callers/caller-cache.ts';
import type { TokenCaller } from '../callers/token-caller.ts';
import type { ChargeWriter } from '../charges/charge-writer.ts';
import { withDatabaseTimeout } from '../leases/lease-exchange.ts';
import type { RouteFinder } from '../routing/route-finder.ts';
import type { ChannelTable } from '../upstreams/channel-table.ts';
import { type ModelFacts, modelFacts } from '../upstreams/model-facts.ts';

export interface CallerInfoDependencies {
  readonly options: OptionService;
  readonly priceBook: PriceCache;
  readonly callers: CallerCache;
  readonly channels: ChannelTable;
  readonly writer: ChargeWriter;
}

/** Information about a token that its client can request. */
export class CallerInfo {
  readonly #dependencies: CallerInfoDependencies;
  readonly #routes: RouteFinder;

  constructor(dependencies: CallerInfoDependencies, routes: RouteFinder) {
    this.#dependencies = dependencies;
    this.#routes = routes;
  }

  /** Models that a token may use: those of its groups, or of its pinned channel. */
  models(caller: TokenCaller): readonly ModelFacts[] {
    const { entry, groups, pinnedChannel } = caller;
    const { channels, priceBook, options } = this.#dependencies;
    const served =
      pinnedChannel === undefined ? channels.models(groups, entry.binding) : channels.modelsOn(pinnedChannel);
    const allowed = entry.models ? served.filter((model) => entry.models?.has(model)) : served;
    const factsOf = (model: string) => modelFacts(model, this.#routes.route(caller, model), priceBook.ratios);
    const aliases = this.#routes.namesOf(new Set(allowed));
    const named = [
      ...allowed.map(factsOf),
      ...aliases.map(({ pattern, model }) => ({ ...factsOf(model), id: pattern })),
    ];
    const { ReasoningSuffixesEnabled: hasSuffixes, ReasoningSuffixListEnabled: listsThem } = options.values;
    return hasSuffixes && listsThem ? withReasoningNames(named) : named;
  }

  /** Reads from the database, because it is rarely requested. */
  async billing({ tokenId, userId }: TokenCaller) {
    const { callers, options, writer } = this.#dependencies;
    await withDatabaseTimeout(writer.catchUp());
    const { token, user } = await callers.stored(tokenId, userId);
    if (!token || !user) throw new RelayError(401, 'Invalid API token', 'invalid_api_key', 'invalid_request_error');
    return billingReport(token, user, options.values);
  }
}

/** Each model, followed by its names with reasoning suffixes. A name that is also a model is listed only once. */
function withReasoningNames(models: readonly ModelFacts[]): readonly ModelFacts[] {
  const ids = new Set(models.map(({ id }) => id));
  const suffixed = models.flatMap((facts) =>
    namesWithReasoningSuffix(facts.id).flatMap((id) => (ids.has(id) ? [] : { ...facts, id })),
  );
  return [...models, ...suffixed];
}
