import type { RemainingLimits } from '@headgate/dialects';
import type { RelayError } from './relay-error.ts';

/** Usage of a request as estimated before it is sent. */
export interface ExpectedUsage {
  /** Prompt and completion tokens. */
  readonly tokens: number;
  /** Minimum points that the request requires. */
  points(): number;
}

/** Model and channels that limits apply to. */
export interface LimitedModel {
  readonly model: string;
  readonly group: string;
  /** Channels that may be tried. */
  readonly channels: readonly { readonly id: number }[];
}

/** Limits that apply to one request, and what the request counts towards them. */
export interface RequestLimits {
  /**
   * Counts the request, or throws the error that rejects it. Returns a promise only if it must wait for other nodes.
   */
  admit(expected: ExpectedUsage): void | Promise<void>;
  /** Reverts the count, so that the request can be counted again with its full size. */
  withdraw(): void;
  /** Ids of the caller's limits that count the request, for the log. */
  readonly counted: readonly number[];
  /** Maximum cost of the request in points; undefined without a limit. */
  readonly maxPoints: number | undefined;
  /** Remaining limits for the response headers, once the request is admitted. */
  readonly remaining: RemainingLimits | undefined;
  /** True if any channel has limits; otherwise `hasRoom` and `enter` are not called. */
  readonly hasChannelLimits: boolean;
  /** True if a channel's limits currently admit the request. */
  hasRoom(channel: number): boolean;
  /** Counts the request on a channel; false if its limit was reached in the meantime. */
  enter(channel: number): boolean | Promise<boolean>;
  /** Ends the attempt on the channel; tokens are counted only if the attempt returned a response. */
  leave(channel: number, hasResponded: boolean): void;
  /** Error if every channel is at its limit. */
  noRoom(): RelayError | undefined;
  /** Reports the final usage and cost. */
  reportUsage(tokens: number, points: number): void;
  /** Must be called regardless of how the request ends. */
  end(): void;
}
