/** Error codes of PostgreSQL and SQLite. */
const postgresCode = '23505';
const sqliteCode = 2067;

/** True if a statement failed because of a unique constraint. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as Error & { code?: unknown; errcode?: unknown };
  return code === postgresCode || errcode === sqliteCode;
}

const deadlockDetected = '40P01';

/** True if PostgreSQL aborted a transaction because of a deadlock. */
export const isDeadlock = (error: unknown): boolean =>
  error instanceof Error && (error as Error & { code?: unknown }).code === deadlockDetected;
