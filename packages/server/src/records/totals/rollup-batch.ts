/** Result of applying a batch of pending changes. */
export interface RollupBatch {
  /** False if another node was applying changes. */
  readonly isMine: boolean;
  readonly changes: number;
  /** True if there may be more changes than fit in a batch. */
  readonly isMore: boolean;
}

/** Balance of a user before and after spending. */
export interface Balance {
  readonly userId: number;
  readonly before: number;
  readonly left: number;
}
