import type { Affinity, LogEndCause, RoutingStrategy } from '@headgate/contract';
import type { ReferencedContext, StoredResponse } from '@headgate/dialects';
import type { SavedRatios } from '../quota/price.ts';
import type { TokenParts } from '../quota/quota-of.ts';
import type { Reservation, Shortage } from '../quota/reservation.ts';
import type { RelayChannel } from './relay-channel.ts';
import type { RelayError } from './relay-error.ts';
import type { LimitedModel, RequestLimits } from './request-limits.ts';

/** The caller of a request, with the properties that the relay needs. */
export interface Caller {
  readonly userId: number;
  readonly username: string;
  readonly tokenId: number;
  readonly tokenName: string;
  /** Tags of the request by key. */
  readonly requestTags?: ReadonlyMap<string, string> | undefined;
  /** In order of preference. */
  readonly groups: readonly string[];
  /** Channel requested by the caller; admins only. */
  readonly pinnedChannel: number | undefined;
  /** Points of this caller that are not reserved. */
  readonly free: number;
  /**
   * Points that are not reserved, of the plan or balance that would pay this many points for a request of a model in a
   * group; absent if it does not depend on them.
   */
  readonly freeFor?: ((group: string, model: string, points: number) => number) | undefined;
  /**
   * Reserves points of this caller, or all free points if there are at least `least`; otherwise returns the balance
   * that is too low. The group determines the price and may have a budget; model and group determine the plan that pays.
   */
  reserve(points: number, min?: number, group?: string, model?: string): Reservation | Shortage;
  /**
   * Moves the reservation to the budgets of another group when that group determines the price, and to the balance if
   * the plan does not cover the model; false if those are exhausted. Absent without budgets.
   */
  readonly moveToGroup?:
    | ((group: string, reservation: Reservation, model: string) => boolean | Promise<boolean>)
    | undefined;
  /** A more specific error for a shortage; undefined if there is none. */
  readonly explain?: ((shortage: Shortage) => RelayError | undefined) | undefined;
  /** Requests points from other nodes; absent on a single node. */
  readonly findMore?: ((points: number) => Promise<void>) | undefined;
  /** True while the state of the other nodes is unknown. */
  readonly isBalanceUnknown: boolean;
}

/** Channels that can serve a model, and the group that determines its price. */
export interface Route {
  readonly group: string;
  readonly channels: readonly RelayChannel[];
  /** Routing strategy; absent: by priority and weight. */
  readonly rule?: RouteRule | undefined;
}

export interface RouteRule {
  readonly strategy: RoutingStrategy;
  readonly affinity: Affinity;
  /** True to skip channels whose model cannot read a prompt of this length while another can. */
  readonly fitsWindow: boolean;
  /** Milliseconds without a first byte after which a hedged request is sent; 0: never. */
  readonly hedgeMs: number;
  /** Fallback models, in order. */
  readonly fallbacks: readonly string[];
  /** Absent: the requested model serves all requests. */
  readonly split?: RouteSplit | undefined;
  /** Absent: no mirroring. */
  readonly mirror?: RouteMirror | undefined;
}

/** Mirror target: a model or channel that receives copies of a share of the requests. */
export interface RouteMirror {
  /** Empty: the requested model. */
  readonly model: string;
  /** Name of the channel; empty: any channel of the model. */
  readonly channel: string;
  /** 1 to 100. */
  readonly percent: number;
}

/** Canary: another model, other channels or both that serve a share of the conversations. */
export interface RouteSplit {
  /** Empty: the requested model. */
  readonly model: string;
  /** Tag of the channels; empty: any channel of the model. */
  readonly tag: string;
  /** 1 to 100. */
  readonly percent: number;
  /** Charged at its own price instead of that of the requested model. */
  readonly hasOwnPrice: boolean;
}

export interface Attempt {
  readonly channel: number;
  /** The upstream model, if it differs from the requested one. */
  readonly model?: string;
  /** Id of the key that was used, on a channel with several. */
  readonly key?: number;
  /** Reason for the failure, without keys or URLs. */
  readonly reason: string;
  /** Upstream status; 0 without a response. */
  readonly status: number;
  /** Milliseconds from the start of the request to the start of the attempt. */
  readonly start: number;
  readonly ms: number;
}

/** A hedged attempt that was canceled because another channel was faster. */
export interface HedgedAttempt {
  readonly channel: number;
  readonly key?: number;
  readonly ms: number;
  /** Estimated upstream cost in points; 0 when unknown. */
  readonly cost: number;
}

export interface ChannelFailure {
  /** Upstream status; 0 without a response. */
  readonly status: number;
  readonly error: RelayError;
  /** The requested model. */
  readonly model: string;
  /** The upstream also received client-controlled headers, which may have caused the error. */
  readonly hasClientHeaders: boolean;
  /** An authentication or permission error that the client's headers may have caused; other requests may succeed. */
  readonly mayBeClientFault: boolean;
}

/** A response stored by an upstream, with the data needed to continue it. */
export interface UpstreamStoredResponse {
  readonly id: string;
  /** The channel that stores it. */
  readonly channel: number;
  /**
   * Key with which the response was created, on a channel with several: other keys may belong to other accounts. 0:
   * the only key.
   */
  readonly key: number;
  /** Tokens of the whole conversation including the response. */
  readonly tokens: number;
  /** Additional tokens of its images and audio for a model that counts them differently. */
  readonly attachedTokens: number;
  /** Items of the response, by the ids that the upstream assigned. */
  readonly items: readonly string[];
  /** Maximum tokens of all items of the response combined. */
  readonly itemTokens: number;
}

/** An item of a response stored by an upstream. */
export interface UpstreamStoredItem extends Pick<UpstreamStoredResponse, 'id' | 'channel' | 'key'> {
  /** Response that contains the item. */
  readonly response: string;
  /** Maximum tokens of all items of that response combined. */
  readonly itemTokens: number;
}

/** Stored upstream response that a request continues from. */
export type PreviousContext = Pick<UpstreamStoredResponse, 'id' | 'channel' | 'key' | 'tokens' | 'attachedTokens'>;

/** Memory accounting of one request, in bytes. */
export interface RequestMemoryLimit {
  /** Counts fetched bytes. Throws a RelayError if the memory limit is reached or the request has ended. */
  take(bytes: number): void;
  /**
   * Counts the part of an upstream body that exceeds the memory already counted for the request; throws like `take`.
   */
  cover(bytes: number): void;
}

/** Responses stored by the gateway, for upstreams that do not store them. */
export interface ResponseStore<By extends Caller = Caller> {
  /** False while storing is disabled. */
  isOn(): boolean;
  /** Stored responses of this user; unknown ids are omitted. Their bytes count towards the request's memory. */
  find(caller: By, named: ReferencedResponses, memory: RequestMemoryLimit): Promise<ReferencedContext>;
  /**
   * Resolves to true if later requests will find the response on every node, and to false if it was not stored; never
   * rejects.
   */
  add(caller: By, response: StoredResponse): Promise<boolean>;
}

export interface ReferencedResponses {
  readonly response: string | undefined;
  readonly items: readonly string[];
}

interface OutcomeFailure {
  /** Status of the last upstream; 0 without a response, or if no channel was tried. */
  readonly status: number;
  readonly error: RelayError;
  /** Last channel that was tried; 0 if none was. */
  readonly channel: number;
}

/** A finished request, to be charged and logged. */
export interface Outcome<By extends Caller = Caller> {
  readonly caller: By;
  /** Channel that delivered; 0 if none did. */
  readonly channel: number;
  /** Model that served the request and determines its price; the requested model if no channel served it. */
  readonly model: string;
  readonly quota: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Undefined if no parts are reported. */
  readonly parts: TokenParts | undefined;
  /** Upstream cost in points; 0 when unknown. */
  readonly cost: number;
  readonly isStream: boolean;
  /** Side that ended the request early; undefined if it completed. */
  readonly endedBy: LogEndCause | undefined;
  /** Reason why the request did not complete. */
  readonly failure: OutcomeFailure | undefined;
  readonly elapsedMs: number;
  /** Time to the first byte of a stream; 0 for a whole response or if there was none. */
  readonly firstByteMs: number;
  /** Group that determined the price. */
  readonly group: string;
  readonly requestId: string;
  readonly systemPromptReset: boolean;
  /** Reason for the failure, or the cost calculation as text. */
  readonly content: string;
  /** Failed attempts before the last, or all attempts if all failed. */
  readonly attempts: readonly Attempt[];
  /** Cost calculation and attempts for the console, as JSON. */
  readonly detail: string;
  /** The response, if its upstream stores it; otherwise undefined. */
  readonly kept: UpstreamStoredResponse | undefined;
}

/** Assumed tokens of a response without an output limit. */
export interface CompletionEstimates {
  /** Tokens that the balance must cover to admit the request. */
  readonly typicalCompletion: number;
  /** Tokens of the longest response, reserved when the balance allows. */
  readonly longestCompletion: number;
}

/** Reason why no route exists for a caller and model. */
export type NoRouteReason =
  /** No enabled channel of any group offers the model. */
  | 'unknown_model'
  /** The pinned channel does not exist or is disabled. */
  | 'unknown_channel'
  /** Channels of other groups offer the model. */
  | 'group'
  /** Channels offer the model, but the token is bound to others. */
  | 'binding'
  /** All channels that offer the model were disabled automatically. */
  | 'down';

/** Ports of the relay. All are synchronous and served from memory, except those that return a promise. */
export interface Ports<By extends Caller = Caller> {
  /** Undefined if no channel serves the model to any of the caller's groups. */
  route(caller: By, model: string): Route | undefined;
  /** Called when `route` or `fallbackRoute` found nothing. */
  noRouteReason(caller: By, model: string): NoRouteReason;
  /** Route of a fallback model; undefined if there is none, or the caller may not use it. */
  fallbackRoute(caller: By, model: string): Route | undefined;
  /** Average number of retries allowed per request. */
  retryShare(): number;
  /**
   * A response created for this user; undefined for an unknown id. Called only when a request references a response.
   */
  storedUpstreamResponse(caller: By, id: string): Promise<PreviousContext | undefined>;
  /** Items created for this user. Called only when a request references items. */
  storedUpstreamItems(caller: By, ids: readonly string[]): Promise<readonly UpstreamStoredItem[]>;
  readonly responses: ResponseStore<By>;
  /**
   * Limits that apply to a request; undefined if none do. `earlier` are the limits already counted for the previously
   * tried model; limits that apply to both models count the request once.
   */
  limits(caller: By, request: LimitedModel, earlier?: RequestLimits): RequestLimits | undefined;
  ratios(): SavedRatios;
  /** True: models without a price are rejected. False: they cost a high default price. */
  rejectsUnpricedModels(): boolean;
  /** How many other channels may be tried after the first failure. */
  retries(caller: By): number;
  assumptions(): CompletionEstimates;
  /** Unpriced fields that are passed on nevertheless. */
  unpricedFieldsAllowed(): readonly string[];
  /** Unreported tokens are estimated by text length instead of counted. */
  estimatesTokens(): boolean;
  /** Responses without content cost nothing, and the next channel is tried. */
  retriesEmptyResponses(): boolean;
  /** Counts an empty response; false if the caller has had too many, so that this one is charged. */
  countFreeResponse(caller: By): boolean;
  /** Settles the reservation with this charge; resolves when the charge is durable. */
  settle(reservation: Reservation, outcome: Outcome<By>): Promise<void>;
  /**
   * Reports an upstream failure of a channel; the implementation decides whether to disable it. With `keys`: all keys
   * that were tried.
   */
  channelFailed(channel: RelayChannel, failure: ChannelFailure): void;
  /** Reports that another channel served the request that failed on this one, so that the request was not the cause. */
  channelFailureConfirmed(channel: RelayChannel, failure: ChannelFailure): void;
  /** Called before one of several keys of a channel is used. */
  keyUsed(key: number): void;
  /** Reports that an upstream rejected one of several keys; the channel has failed only if no other key works. */
  keyFailed(channel: RelayChannel, failure: ChannelFailure): void;
  /** Random number in [0, 1). */
  roll(): number;
  /** Monotonic clock, in milliseconds. */
  clock(): number;
  /** Milliseconds since the epoch. */
  wallClock(): number;
}
