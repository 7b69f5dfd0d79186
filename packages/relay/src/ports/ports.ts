import type { Affinity, LogEnder, RoutingStrategy } from '@headgate/contract';
import type { StoredAnswer, StoredContext } from '@headgate/dialects';
import type { SavedRatios } from '../quota/price.ts';
import type { TokenParts } from '../quota/quota-of.ts';
import type { Reservation, Shortage } from '../quota/reservation.ts';
import type { RelayChannel } from './relay-channel.ts';
import type { RelayError } from './relay-error.ts';
import type { LimitedModel, RequestLimits } from './request-limits.ts';

/** The caller of a request, as far as the relay must know it. */
export interface Caller {
  readonly userId: number;
  readonly username: string;
  readonly tokenId: number;
  readonly tokenName: string;
  /** In the order of preference. */
  readonly groups: readonly string[];
  /** A channel the caller insists on; only admins may. */
  readonly pinnedChannel: number | undefined;
  /** Points of this caller that nobody holds. */
  readonly free: number;
  /**
   * Holds points of this caller, or all that are free when that is at least `least`; else says whose are not enough. The group
   * is the one that decides the price: it may have a budget.
   */
  reserve(points: number, least?: number, group?: string): Reservation | Shortage;
  /**
   * Holds of the budgets of another group in place of those of the first, which decides the price no more; false when they
   * have not enough. Absent where there are no budgets.
   */
  readonly goOnIn?: ((group: string, reservation: Reservation) => boolean | Promise<boolean>) | undefined;
  /** Says more of a shortage than which it is; undefined where there is no more to say. */
  readonly explain?: ((shortage: Shortage) => RelayError | undefined) | undefined;
  /** Looks elsewhere for points that are not here; absent where there is nowhere else. */
  readonly findMore?: ((points: number) => Promise<void>) | undefined;
  /** Whether nobody can know now what is elsewhere. */
  readonly isOutOfTouch: boolean;
}

/** The channels that could serve a model, and the group that decides its price. */
export interface Route {
  readonly group: string;
  readonly channels: readonly RelayChannel[];
  /** How one of them is chosen; absent: by priority and weight. */
  readonly rule?: RouteRule | undefined;
}

export interface RouteRule {
  readonly strategy: RoutingStrategy;
  readonly affinity: Affinity;
  /** Channels whose model cannot read so long a prompt are passed over while another can. */
  readonly fitsWindow: boolean;
  /** Milliseconds without a first byte after which a second channel is asked too; 0: never. */
  readonly hedgeMs: number;
  /** Models that serve in its place, in this order. */
  readonly fallbacks: readonly string[];
}

export interface Attempt {
  readonly channel: number;
  /** What it was asked for, where that is not what the client asked for. */
  readonly model?: string;
  /** Which of several keys of the channel was used. */
  readonly key?: number;
  /** Why it failed, in words that name no key and no address. */
  readonly reason: string;
  /** Status of the upstream; 0 when it did not answer. */
  readonly status: number;
  /** Milliseconds from the beginning of the request to that of the try. */
  readonly start: number;
  readonly ms: number;
}

/** A channel that was asked too, and given up because another was quicker. */
export interface HedgedTry {
  readonly channel: number;
  readonly key?: number;
  readonly ms: number;
  /** What its upstream will want for it, in points, about; 0 when nobody knows. */
  readonly cost: number;
}

export interface ChannelFailure {
  /** Status of the upstream; 0 when it did not answer. */
  readonly status: number;
  readonly error: RelayError;
  /** What the user asked for. */
  readonly model: string;
  /** The upstream also heard headers of the client's choice, which may be what it refused. */
  readonly hasClientHeaders: boolean;
  /** It refused who asks or what is asked for, and those headers may be why: others may well be served. */
  readonly mayBeTheClients: boolean;
}

/** An answer that an upstream keeps, and what it takes to go on from it. */
export interface KeptAnswer {
  readonly id: string;
  /** The one that has it. */
  readonly channel: number;
  /** Which of several keys of the channel it was made with: others may be of other accounts. 0: it had one. */
  readonly key: number;
  /** Tokens of everything that the answer was made from, and its own. */
  readonly tokens: number;
  /** What the pictures and sounds in it may count beside, to a model that counts them otherwise. */
  readonly attachedTokens: number;
  /** Its items, by the ids that the upstream gave them. */
  readonly items: readonly string[];
  /** Tokens that all of its items together may count. */
  readonly itemTokens: number;
}

/** An item of an answer that an upstream keeps. */
export interface KeptItem extends Pick<KeptAnswer, 'id' | 'channel' | 'key'> {
  /** The answer that it is of. */
  readonly answer: string;
  /** Tokens that all items of that answer together may count. */
  readonly itemTokens: number;
}

/** What a request goes on from, of what an upstream keeps. */
export type Earlier = Pick<KeptAnswer, 'id' | 'channel' | 'key' | 'tokens' | 'attachedTokens'>;

/** The count of the bytes that one request has in memory. */
export interface RequestMemory {
  /** Counts what was fetched for the request. Throws a RelayError when there is no room, or when the request is over. */
  take(bytes: number): void;
  /** Counts an upstream body as far as it is larger than what is counted for the request; throws as `take` does. */
  cover(bytes: number): void;
}

/** Answers that the gateway stores itself, for upstreams that do not. */
export interface AnswerStore<By extends Caller = Caller> {
  /** False while nothing is to be stored. */
  isOn(): boolean;
  /** Stored answers of this user; unknown ids are left out. Their bytes are counted in the memory of the request. */
  find(caller: By, named: NamedAnswers, memory: RequestMemory): Promise<StoredContext>;
  /** True when later requests will find it on every node, false when it is not stored; never rejects. */
  add(caller: By, answer: StoredAnswer): Promise<boolean>;
}

export interface NamedAnswers {
  readonly answer: string | undefined;
  readonly items: readonly string[];
}

interface OutcomeFailure {
  /** Status of the upstream that was asked last; 0 when it did not answer, or none was asked. */
  readonly status: number;
  readonly error: RelayError;
  /** The channel that was tried last; 0 when none was. */
  readonly channel: number;
}

/** A finished request, to be charged and written down. */
export interface Outcome<By extends Caller = Caller> {
  readonly caller: By;
  /** The one that delivered; 0 when none did. */
  readonly channel: number;
  /** What served, by which it is charged; what the user asked for where nothing did. */
  readonly model: string;
  readonly quota: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Undefined where none are told. */
  readonly parts: TokenParts | undefined;
  /** What it costs whoever runs the gateway, in points; 0 when nobody knows. */
  readonly cost: number;
  readonly isStream: boolean;
  /** The side that ended the request before its end; undefined when it came to it. */
  readonly endedBy: LogEnder | undefined;
  /** Why it did not come to its end. */
  readonly failure: OutcomeFailure | undefined;
  readonly elapsedMs: number;
  /** Until a streamed answer began; 0 when it came in one piece, or not at all. */
  readonly firstByteMs: number;
  /** By which it was charged. */
  readonly group: string;
  readonly requestId: string;
  readonly systemPromptReset: boolean;
  /** Why it failed, or the arithmetic in a sentence. */
  readonly content: string;
  /** The tries that failed before, or all of them. */
  readonly attempts: readonly Attempt[];
  /** The arithmetic of the charge and the attempts, for the console, as JSON. */
  readonly detail: string;
  /** The answer, where its upstream keeps it; undefined where it does not. */
  readonly kept: KeptAnswer | undefined;
}

/** Assumed tokens of an answer whose length the request does not limit. */
export interface Assumptions {
  /** Tokens that must be paid for to let the request in. */
  readonly usualAnswer: number;
  /** Tokens of the longest there is, which are held where the balance allows. */
  readonly longestAnswer: number;
}

/** Why a caller has no route for a model. */
export type NoRouteReason =
  /** No enabled channel of any group offers the model. */
  | 'unknown_model'
  /** The pinned channel does not exist or is disabled. */
  | 'unknown_channel'
  /** Channels of other groups offer the model. */
  | 'group'
  /** Channels offer the model, but the token is bound to others. */
  | 'binding'
  /** The channels that offer the model were disabled automatically. */
  | 'down';

/** Ports of the relay. All are synchronous, from memory, except `settle`, `keptAnswer`, `keptItems` and `answers`. */
export interface Ports<By extends Caller = Caller> {
  /** Undefined when no channel serves the model to any of the caller's groups. */
  route(caller: By, model: string): Route | undefined;
  /** Called where `route` or `fallbackRoute` found nothing. */
  noRouteReason(caller: By, model: string): NoRouteReason;
  /** The route of a model that serves in another's place; undefined when none does, or the caller may not use it. */
  fallbackRoute(caller: By, model: string): Route | undefined;
  /** How many retries there may be for each request, on average. */
  retryShare(): number;
  /** An answer that was made for this user; undefined when there is none of that id. Asked for only where one is named. */
  keptAnswer(caller: By, id: string): Promise<Earlier | undefined>;
  /** Those of these items that were made for this user. Asked for only where some are named. */
  keptItems(caller: By, ids: readonly string[]): Promise<readonly KeptItem[]>;
  readonly answers: AnswerStore<By>;
  /**
   * The limits that apply to a request; undefined where none does. `earlier`: its part in those of the model that it asked
   * before; what both count is counted once.
   */
  limits(caller: By, request: LimitedModel, earlier?: RequestLimits): RequestLimits | undefined;
  ratios(): SavedRatios;
  /** Models that nobody priced are refused; else they cost what is dear enough to be noticed. */
  refusesUnpriced(): boolean;
  /** How many other channels may be tried after the first failed. */
  retries(caller: By): number;
  assumptions(): Assumptions;
  /** Fields that go out though what they cost has no price. */
  unpricedFieldsAllowed(): readonly string[];
  /** Tokens nobody tells are estimated by the length of their text, not counted. */
  estimatesTokens(): boolean;
  /** Ends the reservation with this charge and stores it; resolves when it is durable. */
  settle(reservation: Reservation, outcome: Outcome<By>): Promise<void>;
  /** A channel's upstream refused or failed; whether that is the end of it is decided outside. With `keys`: all that were tried. */
  channelFailed(channel: RelayChannel, failure: ChannelFailure): void;
  /** Another channel answered what this one had failed: the request was not at fault. */
  failedAlone(channel: RelayChannel, failure: ChannelFailure): void;
  /** One of several keys of a channel is about to be used. */
  keyUsed(key: number): void;
  /** An upstream refused one of several keys; its channel has failed only when no other key does better. */
  keyFailed(channel: RelayChannel, failure: ChannelFailure): void;
  /** A chance in [0, 1). */
  roll(): number;
  /** Milliseconds that only ever grow. */
  clock(): number;
}
