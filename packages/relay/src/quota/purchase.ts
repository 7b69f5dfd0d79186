/** Dollars for a million tokens. */
export interface PurchasePrice {
  readonly input: number;
  readonly output: number;
  readonly cached?: number | undefined;
  readonly cache_write?: number | undefined;
}

/** What a channel's requests cost whoever runs the gateway. */
export interface Purchase {
  /** Of the maker's list price. */
  readonly multiplier: number;
  /** Models that cost something else. */
  readonly models: Readonly<Record<string, PurchasePrice>>;
}
