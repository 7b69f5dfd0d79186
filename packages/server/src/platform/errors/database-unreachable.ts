/**
 * PostgreSQL codes for failed, ended or rejected connections, too many connections, and timeouts of a statement, lock
 * or transaction.
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

/** Driver messages for failures without a code. */
const driverWords =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection|Query read timeout|Client was closed)/;

/** PostgreSQL codes for an invalid password, user or database, for example after a password change. */
const loginCodes = /^(28|3D000)/;

/** True if PostgreSQL rejected the login: waiting does not help; DATABASE_URL or the server must be changed. */
export function isLoginRejected(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return error instanceof Error && typeof code === 'string' && loginCodes.test(code);
}

/** True if an error means that the database could not be reached. */
export function isDatabaseUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  const isServers = typeof code === 'string' && serverCodes.test(code);
  // Also returned by a database that does not allow connections.
  return isServers || code === '55000' || networkCodes.has(code) || driverWords.test(error.message);
}
