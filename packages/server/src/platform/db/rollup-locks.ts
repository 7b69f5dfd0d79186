/** Advisory locks of PostgreSQL for the rollups of logs. Any numbers that nothing else in the database uses. */

/** Held by whoever changes rollups: one node at a time. */
export const rollupLock = 0x68_67_72_6f;

/** Held shared by transactions that insert logs, by a trigger. Exclusively, it says that no insert is in progress. */
export const newLogLock = 0x68_67_72_6c;
