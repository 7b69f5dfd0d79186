/** The clock of alerts and their steps, which tests shorten. */
export interface AlertPace {
  /** In seconds. */
  readonly now?: () => number;
  /** How often somebody looks for what another node left to be sent. */
  readonly pollMs?: number;
  /** How often channels, balances and the ledger are looked at. */
  readonly watchMs?: number;
}
