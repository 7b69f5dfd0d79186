/** Dollars per million tokens. */
export interface PurchasePrice {
  readonly input: number;
  readonly output: number;
  readonly cached?: number | undefined;
  readonly cache_write?: number | undefined;
}

/** Upstream prices of a channel. */
export interface Purchase {
  /** Multiple of the list price. */
  readonly multiplier: number;
  /** Models with a different upstream price. */
  readonly models: Readonly<Record<string, PurchasePrice>>;
}
