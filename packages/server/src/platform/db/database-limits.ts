/** How long PostgreSQL may take; after that it gives up, and lets go of what it had locked. */
export interface DatabaseLimits {
  /** One statement. */
  readonly statementMs: number;
  /** Of that, waiting for what somebody else has locked. */
  readonly lockMs: number;
  /** A transaction whose node says nothing: frozen, cut off, or too busy. */
  readonly idleMs: number;
}

export const usualLimits: DatabaseLimits = { statementMs: 30_000, lockMs: 5000, idleMs: 5000 };

/** For work that may take as long as it takes, such as bringing the schema up to date. */
export const noLimits: DatabaseLimits = { statementMs: 0, lockMs: 0, idleMs: 0 };

/** What the relay asks is short, and somebody waits for it. */
const longestOfRelayMs = 10_000;

export const limitsOfRelay = (limits: DatabaseLimits): DatabaseLimits => ({
  ...limits,
  statementMs: Math.min(limits.statementMs || longestOfRelayMs, longestOfRelayMs),
});

/** When SQLite syncs the disk: at checkpoints, or at every commit, which makes commits survive a power cut. */
export type SqliteSynchronous = 'normal' | 'full';
