import type { TokenCount } from '../quota/quota-of.ts';

/** What a request will use, as far as it can be told before. */
export interface UsageEstimate {
  /** The most that can be charged, whatever the answer, of an upstream that obeys. */
  readonly most: TokenCount;
  /**
   * For a request that sets its answer no limit, or brings what nobody has measured: what must be there to let it in.
   * Undefined: all of the most.
   */
  readonly least: TokenCount | undefined;
  /** What a delivered answer used whose upstream reports nothing; its completion is counted as it goes by. */
  readonly used: TokenCount;
  /** What is held for pictures and sounds; absent where none are read. */
  readonly attachedTokens?: number;
}
