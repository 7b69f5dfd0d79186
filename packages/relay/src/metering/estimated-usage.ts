import type { TokenCount } from '../quota/quota-of.ts';

/** Usage of a request as estimated before it is sent. */
export interface UsageEstimate {
  /** Maximum charge for any response of an upstream that respects the limits. */
  readonly most: TokenCount;
  /**
   * Minimum balance to admit a request without an output limit or with content of unknown length. If undefined, all of
   * `most` is required.
   */
  readonly least: TokenCount | undefined;
  /**
   * Usage of a delivered response for which the upstream reports none; the completion is counted as it passes through.
   */
  readonly used: TokenCount;
  /** Tokens reserved for images and audio; absent when the request has none. */
  readonly attachedTokens?: number;
}
