import type { LogReason } from '@headgate/contract';
import type { ChannelFailure, Ports, RelayChannel, ResponseStore } from '@headgate/relay';
import type { ChannelFailureDetails, ChannelHealthService } from '../../catalog/channels/channel-health-service.ts';
import type { KeyUsageService } from '../../catalog/channels/key-usage-service.ts';
import type { PriceCache } from '../../catalog/prices/price-cache.ts';
import type { OptionService } from '../../platform/options/option-service.ts';
import type { TokenCaller } from '../callers/token-caller.ts';
import type { LimitService } from '../limit-counters/limit-service.ts';
import type { RouteFinder } from '../routing/route-finder.ts';
import type { UpstreamResponseService } from '../upstream-responses/upstream-response-service.ts';
import { failureDetails, failureReasonOf } from '../upstreams/failure-reason.ts';
import { shouldDisableChannel } from '../upstreams/key-rejection.ts';
import { FreeResponseLimiter } from './free-response-limiter.ts';
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
  const freeResponses = new FreeResponseLimiter();
  return {
    route: (caller, model) => routes.route(caller, model),
    noRouteReason: (caller, model) => routes.noRouteReason(caller, model),
    fallbackRoute: (caller, model) => routes.fallback(caller, model),
    retryShare: () => options.values.RetryBudgetPercent / 100,
    storedUpstreamResponse: (caller, id) => keptResponses.find(caller, id),
    storedUpstreamItems: (caller, ids) => keptResponses.findItems(caller, ids),
    responses: storedResponses,
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
    countFreeResponse: ({ userId }) => freeResponses.count(userId),
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

interface ChannelFailureDependencies {
  readonly health: Pick<ChannelHealthService, 'failed'> & {
    channelFailureConfirmed(channel: number, failure: ChannelFailureDetails): void;
  };
  readonly keyUse: KeyUsageService;
  /** Called when the provider rejects a key or account; `key` is set if the channel has several keys. */
  readonly onUselessKey: (channel: number, cause: KeyRejection, key?: number) => void;
}

interface KeyRejection {
  /** The provider's message. */
  readonly message: string;
  readonly status: number;
  readonly reason: LogReason;
}

type FailurePorts = Pick<Ports<TokenCaller>, 'channelFailed' | 'channelFailureConfirmed' | 'keyUsed' | 'keyFailed'>;

/** Ports for failed attempts: channel health, key usage and disabling of keys. */
function channelFailurePorts({ health, keyUse, onUselessKey }: ChannelFailureDependencies): FailurePorts {
  const judgeKey = ({ id, keyId }: RelayChannel, { status, error, hasClientHeaders }: ChannelFailure): void => {
    if (!shouldDisableChannel(status, error, hasClientHeaders)) return;
    const reason = failureReasonOf({ status, error });
    onUselessKey(id, { message: error.message, status, reason }, keyId);
  };
  return {
    channelFailed: (channel, failure) => {
      if (!failure.mayBeClientFault) health.failed(channel.id, failureDetails(failure));
      // With several keys, each key was already checked when it failed.
      if (!channel.keys) judgeKey(channel, failure);
    },
    channelFailureConfirmed: ({ id }, failure) => health.channelFailureConfirmed(id, failureDetails(failure)),
    keyUsed: (key) => keyUse.used(key),
    keyFailed: (channel, failure) => {
      const { status, error } = failure;
      const reason = failureReasonOf(failure);
      if (channel.keyId && !failure.mayBeClientFault)
        keyUse.failed(channel.keyId, { status, reason, message: error.message });
      judgeKey(channel, failure);
    },
  };
}
