/**
 * Time limits of PostgreSQL statements, locks and transactions. Exceeding one aborts the transaction and releases its
 * locks.
 */
export interface DatabaseLimits {
  /** For one statement. */
  readonly statementMs: number;
  /** For waiting on locks within a statement. */
  readonly lockMs: number;
  /** For an idle transaction, whose node is frozen, disconnected or too busy. */
  readonly idleMs: number;
}

export const defaultDatabaseLimits: DatabaseLimits = { statementMs: 30_000, lockMs: 5000, idleMs: 5000 };

/** For work without a time limit, such as schema migrations. */
export const noDatabaseLimits: DatabaseLimits = { statementMs: 0, lockMs: 0, idleMs: 0 };

/** Relay queries are short, and a request waits for them. */
const maxOfRelayMs = 10_000;

export const relayDatabaseLimits = (limits: DatabaseLimits): DatabaseLimits => ({
  ...limits,
  statementMs: Math.min(limits.statementMs || maxOfRelayMs, maxOfRelayMs),
});

/** When SQLite syncs to disk: at checkpoints only, or at every commit so that commits survive a power loss. */
export type SqliteSynchronous = 'normal' | 'full';
