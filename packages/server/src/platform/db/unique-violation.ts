/** The codes of the error in PostgreSQL and SQLite. */
const postgresCode = '23505';
const sqliteCode = 2067;

/** Whether a statement failed because a value that must be unique is there already. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as Error & { code?: unknown; errcode?: unknown };
  return code === postgresCode || errcode === sqliteCode;
}
