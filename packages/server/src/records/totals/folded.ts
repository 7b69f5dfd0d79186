/** What a step of folding has done. */
export interface Folded {
  /** Whether no other node was folding. */
  readonly isMine: boolean;
  readonly changes: number;
  /** Whether there may be more than one step takes. */
  readonly isMore: boolean;
}

/** What spending did to a user's quota. */
export interface Balance {
  readonly userId: number;
  readonly before: number;
  readonly left: number;
}
