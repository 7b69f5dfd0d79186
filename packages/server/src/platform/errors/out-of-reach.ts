/**
 * PostgreSQL's codes for a connection that failed, that the server ended or refused, for too many of them, and for what took
 * longer than it may: a statement, a lock, a transaction.
 */
const serverCodes = /^(08|57P|53300|57014|55P03|25P0[34])/;

const networkCodes: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** The driver's words for failures that have no code. */
const driverWords =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection|Query read timeout|Client was closed)/;

/** PostgreSQL's codes for a password, user or database that is no longer valid, such as after a change of the password. */
const loginCodes = /^(28|3D000)/;

/** Whether PostgreSQL rejected the login: waiting does not help; DATABASE_URL or the server must be changed. */
export function isLoginRejected(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return error instanceof Error && typeof code === 'string' && loginCodes.test(code);
}

/** Whether an error says that the database could not be asked, rather than what it answered. */
export function isOutOfReach(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  const isServers = typeof code === 'string' && serverCodes.test(code);
  // Also of a database that does not allow connections at all.
  return isServers || code === '55000' || networkCodes.has(code) || driverWords.test(error.message);
}
