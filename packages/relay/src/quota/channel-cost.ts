/** Dollars per million tokens. */
export interface CostPrice {
  readonly input: number;
  readonly output: number;
  readonly cached?: number | undefined;
  readonly cache_write?: number | undefined;
  /** Dollars per request. */
  readonly call?: number | undefined;
}

/** Upstream prices of a channel. */
export interface ChannelCost {
  /** Multiple of the list price. */
  readonly multiplier: number;
  /** Upstream price overrides by model name or pattern; a multiplier applies to the list price. */
  readonly models: Readonly<Record<string, CostPrice | { readonly multiplier: number }>>;
}
