import { Account, type Caller, type Outcome, type Ports, Reservation, type Route } from '@headgate/relay';
import type { TokenCaller } from '../callers/token-caller.ts';

/** Name in logs and usage of requests that the gateway pays for. */
const mirrorUsername = '@mirror';

/** Enough for any request. Nothing is charged. */
const unlimited = Number.MAX_SAFE_INTEGER;

/** Payer of a mirrored request: the gateway. */
export class MirrorCaller implements Caller {
  readonly userId = 0;
  readonly username = mirrorUsername;
  readonly tokenId = 0;
  readonly tokenName = '';
  readonly pinnedChannel = undefined;
  readonly isBalanceUnknown = false;
  readonly free = unlimited;
  readonly groups: readonly string[];
  readonly route: Route;
  /** Id of the original request. */
  readonly copyOf: string;

  constructor(route: Route, copyOf: string) {
    this.groups = [route.group];
    this.route = route;
    this.copyOf = copyOf;
  }

  reserve(points: number, min = points) {
    return Reservation.open({ user: new Account(unlimited), token: undefined }, points, min);
  }
}

type Shared = Pick<
  Ports<TokenCaller>,
  'retryShare' | 'ratios' | 'assumptions' | 'unpricedFieldsAllowed' | 'estimatesTokens' | 'roll' | 'clock' | 'wallClock'
>;

/** Ports of mirrored requests: one attempt, no limits, nothing stored, and no effect on channel health. */
export const mirrorPorts = (
  shared: Shared,
  log: (outcome: Outcome<MirrorCaller>) => Promise<void>,
): Ports<MirrorCaller> => ({
  retryShare: shared.retryShare,
  ratios: shared.ratios,
  assumptions: shared.assumptions,
  unpricedFieldsAllowed: shared.unpricedFieldsAllowed,
  estimatesTokens: shared.estimatesTokens,
  roll: shared.roll,
  clock: shared.clock,
  wallClock: shared.wallClock,
  route: ({ route }) => route,
  noRouteReason: () => 'unknown_model',
  fallbackRoute: () => undefined,
  limits: () => undefined,
  rejectsUnpricedModels: () => false,
  retries: () => 0,
  retriesEmptyResponses: () => false,
  countFreeResponse: () => false,
  storedUpstreamResponse: async () => undefined,
  storedUpstreamItems: async () => [],
  responses: {
    isOn: () => false,
    find: async () => ({ previous: undefined, items: new Map() }),
    add: async () => false,
  },
  settle: (reservation, outcome) => {
    reservation.settle(0);
    return log(outcome);
  },
  channelFailed: () => undefined,
  channelFailureConfirmed: () => undefined,
  keyUsed: () => undefined,
  keyFailed: () => undefined,
});
