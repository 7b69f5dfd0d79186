import type { Ports, ResponseStore } from '@headgate/relay';
import type { PriceCache } from '../../catalog/prices/price-cache.ts';
import type { OptionService } from '../../platform/options/option-service.ts';
import type { TokenCaller } from '../callers/token-caller.ts';
import type { LimitService } from '../limit-counters/limit-service.ts';
import type { RouteFinder } from '../routing/route-finder.ts';
import type { UpstreamResponseService } from '../upstream-responses/upstream-response-service.ts';
import { type ChannelFailureDependencies, channelFailurePorts } from './channel-failures.ts';
import type { Settlement } from './settlement.ts';

export interface RelayPortsDependencies extends ChannelFailureDependencies {
  readonly options: OptionService;
  readonly priceBook: PriceCache;
  readonly keptResponses: UpstreamResponseService;
  readonly storedResponses: ResponseStore<TokenCaller>;
  readonly limits: LimitService;
}

/** Ports of the relay package: routes, options, stored responses, limits, settlement. */
export function createRelayPorts(
  dependencies: RelayPortsDependencies,
  routes: RouteFinder,
  settlement: Settlement,
): Ports<TokenCaller> {
  const { options, priceBook, keptResponses, storedResponses, limits } = dependencies;
  return {
    route: (caller, model) => routes.route(caller, model),
    noRouteReason: (caller, model) => routes.noRouteReason(caller, model),
    fallbackRoute: (caller, model) => routes.fallback(caller, model),
    retryShare: () => options.values.RetryBudgetPercent / 100,
    storedUpstreamResponse: (caller, id) => keptResponses.find(caller, id),
    storedUpstreamItems: (caller, ids) => keptResponses.findItems(caller, ids),
    answers: storedResponses,
    limits: (caller, request, earlier) => limits.for(caller, request, earlier),
    ratios: () => priceBook.ratios,
    rejectsUnpricedModels: () => options.values.ModelsWithoutPrice === 'refuse',
    retries: ({ pinnedChannel }) => (pinnedChannel === undefined ? options.values.RetryTimes : 0),
    assumptions: () => ({
      typicalCompletion: options.values.PreConsumedQuota,
      longestCompletion: options.values.LongestAnswer,
    }),
    unpricedFieldsAllowed: () => options.values.UnpricedFieldsAllowed,
    estimatesTokens: () => options.values.ApproximateTokenEnabled,
    retriesEmptyResponses: () => options.values.EmptyResponseRetryEnabled,
    settle: (reservation, outcome) => {
      settlement.noteHealth(outcome);
      return settlement.settle(reservation, outcome);
    },
    ...channelFailurePorts(dependencies),
    roll: Math.random,
    clock: () => performance.now(),
    wallClock: Date.now,
  };
}
