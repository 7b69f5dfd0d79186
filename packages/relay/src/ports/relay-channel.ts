import type { ChannelRule, KeyStrategy, OutboundProxy } from '@headgate/contract';
import type { ChannelCost } from '../quota/channel-cost.ts';

/** A channel that could serve a request. */
export interface Candidate {
  readonly id: number;
  readonly priority: number;
  readonly weight: number;
}

/** Upstream timeouts: before the response headers (first byte), and after them (idle). */
export interface StreamTimeouts {
  readonly firstByteMs: number;
  readonly idleMs: number;
}

/** Timeouts set on a channel. */
type ChannelTimeouts = { readonly [Limit in keyof StreamTimeouts]?: number | undefined };

/** How a channel's provider is called. */
export interface CallOptions extends ChannelTimeouts, Pick<RelayChannel, 'proxy'> {}

/** Usage of a key on this node; kept when its channel is reloaded. */
export interface KeyLoad {
  /** Weighted round-robin value, relative to the other keys. */
  turn: number;
  inFlight: number;
  begun: number;
}

/** One of several keys of a channel. */
export interface RelayKey {
  readonly id: number;
  /** At least 1. */
  readonly weight: number;
  /** The channel with only this key. */
  readonly channel: RelayChannel;
  readonly load: KeyLoad;
}

/** Enabled keys of a channel with several. */
export interface RelayKeys {
  readonly strategy: KeyStrategy;
  readonly all: readonly [RelayKey, ...RelayKey[]];
}

/** Rules of a channel, at least one. */
export interface ChannelRules {
  readonly all: readonly ChannelRule[];
  /** True if a rule may change the body. */
  readonly changesBody: boolean;
  /** Maximum bytes that all rules together add to a body. */
  readonly writtenBytes: number;
}

/** A channel as the relay uses it. Its key is in plain text, so it must never leave this process. */
export interface RelayChannel extends Candidate, ChannelTimeouts {
  readonly type: number;
  readonly name: string;
  /** Absent: none. */
  readonly tag?: string | undefined;
  readonly key: string;
  /** Base URL set by the admin; empty: the provider's default. */
  readonly baseUrl: string;
  readonly other: string;
  /** Groups that may use the channel. */
  readonly groups: readonly string[];
  readonly config: Readonly<Record<string, string>>;
  /** From requested model to upstream model. */
  readonly modelMapping: ReadonlyMap<string, string>;
  /** Prepended to every conversation; empty: none. */
  readonly systemPrompt: string;
  /** Absent: the list prices. */
  readonly purchase?: ChannelCost | undefined;
  /** Absent: the provider is called directly. */
  readonly proxy?: OutboundProxy | undefined;
  /** Absent: requests are sent unchanged. */
  readonly rules?: ChannelRules | undefined;
  /** Absent: `key` is the only key. */
  readonly keys?: RelayKeys | undefined;
  /** Id of `key` among several; absent with one key, or before one is chosen. */
  readonly keyId?: number | undefined;
}
