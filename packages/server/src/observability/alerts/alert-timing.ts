/** Clock and intervals of alerts, shortened in tests. */
export interface AlertTiming {
  /** In seconds. */
  readonly now?: () => number;
  /** How often to look for alerts queued by other nodes. */
  readonly pollMs?: number;
  /** How often channels, balances and the ledger are checked. */
  readonly watchMs?: number;
  /** Interval of log exports. */
  readonly exportMs?: number;
}
