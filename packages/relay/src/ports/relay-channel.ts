import type { KeyStrategy } from '@headgate/contract';
import type { Purchase } from '../quota/purchase.ts';

/** A channel that could carry a request. */
export interface Candidate {
  readonly id: number;
  readonly priority: number;
  readonly weight: number;
}

/** How long an upstream may be silent: before the head of its answer has come, and after. */
export interface Silence {
  readonly firstByteMs: number;
  readonly idleMs: number;
}

/** A channel's own limits, where it has some. */
export type OwnSilence = { readonly [Limit in keyof Silence]?: number | undefined };

/** What a key has been used for here; kept while its channel is read again. */
export interface KeyLoad {
  /** What its turn is worth, compared to the other keys'. */
  turn: number;
  underWay: number;
  begun: number;
}

/** One of several keys of a channel. */
export interface RelayKey {
  readonly id: number;
  /** At least 1. */
  readonly weight: number;
  /** The channel with this key alone. */
  readonly channel: RelayChannel;
  readonly load: KeyLoad;
}

/** The enabled keys of a channel that has several. */
export interface RelayKeys {
  readonly strategy: KeyStrategy;
  readonly all: readonly [RelayKey, ...RelayKey[]];
}

/** A channel as the relay uses it: its key is open, so it never leaves this process. */
export interface RelayChannel extends Candidate, OwnSilence {
  readonly type: number;
  readonly name: string;
  readonly key: string;
  /** The admin's address; empty: the provider's own. */
  readonly baseUrl: string;
  readonly other: string;
  /** Whom it serves. */
  readonly groups: readonly string[];
  readonly config: Readonly<Record<string, string>>;
  /** From what is asked for to what the upstream calls it. */
  readonly modelMapping: ReadonlyMap<string, string>;
  /** Put before every conversation; empty: none. */
  readonly systemPrompt: string;
  /** Absent: the makers' list prices. */
  readonly purchase?: Purchase | undefined;
  /** Absent: `key` is its only one. */
  readonly keys?: RelayKeys | undefined;
  /** Which of several keys `key` is; absent where there is one, or none has been chosen. */
  readonly keyId?: number | undefined;
}
