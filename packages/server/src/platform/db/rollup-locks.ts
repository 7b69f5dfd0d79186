/** Keys of PostgreSQL advisory locks for the rollups of logs; must be unique in the database. */

/** Held while rollups are changed, so that only one node changes them at a time. */
export const rollupLock = 0x68_67_72_6f;

/**
 * Transactions that insert logs hold it shared, through a trigger. Holding it exclusively means that no insert is in
 * progress.
 */
export const newLogLock = 0x68_67_72_6c;
