import { ImportError } from '../import-error.ts';
import { printable } from './printable.ts';

/** Location of a database server for messages, without user and password. */
export function placeOf(address: string, server: string): string {
  const url = addressOf(address);
  const { hostname, port, pathname, search, hash, username, password } = url;
  // An unencoded #, ? or / in the password ends the host early; the parsed host and port would then show credentials.
  if (address.includes('@') && (username === '' || /@/.test(pathname + search + hash))) throw badAddress();
  for (const part of [username, password, pathname]) decoded(part);
  return `${server} at ${hostname || 'this machine'}${port === '' ? '' : `:${port}`}${pathname}`;
}

export function addressOf(address: string): URL {
  try {
    return new URL(address);
  } catch {
    throw badAddress();
  }
}

export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw badAddress();
  }
}

export const badAddress = () =>
  new ImportError(
    'Invalid database address. Encode special characters in the user and password: %40 for @, %23 for #, %25 for %.',
  );

/**
 * Error for a source that cannot be read. Server messages about rows are omitted because they may contain row
 * contents.
 */
export function cannotBeRead(place: string, error: unknown): ImportError {
  if (error instanceof ImportError) return error;
  const { code, message } = error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error) };
  return new ImportError(`${place} cannot be read (${reasonOf(code, message)}).`, { cause: error });
}

const silent = 'no response';
const wrongSignIn = 'wrong user or password';
const noDatabase = 'database not found';
const mayNot = 'this user may not read all tables and rows';
const untrusted = 'untrusted certificate; set NODE_EXTRA_CA_CERTS to use your own certificate authority';

/** Explanations of network, TLS and server error codes. */
const meanings: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'host not found',
  ETIMEDOUT: silent,
  PROTOCOL_SEQUENCE_TIMEOUT: silent,
  '28P01': wrongSignIn,
  '28000': wrongSignIn,
  ER_ACCESS_DENIED_ERROR: wrongSignIn,
  '3D000': noDatabase,
  ER_BAD_DB_ERROR: noDatabase,
  '42501': mayNot,
  ER_DBACCESS_DENIED_ERROR: mayNot,
  ER_TABLEACCESS_DENIED_ERROR: mayNot,
  HANDSHAKE_SSL_ERROR: untrusted,
  HANDSHAKE_NO_SSL_SUPPORT: 'the server does not support TLS',
  MYSQL_CLEAR_PASSWORD_NOT_ENABLED: 'the server requests the password in plain text',
  ERR_TLS_CERT_ALTNAME_INVALID: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  CERT_HAS_EXPIRED: untrusted,
};

function reasonOf(code: string | undefined, message: string): string {
  if (code === undefined && /LOCAL INFILE/.test(message)) return 'the server requests a local file';
  const said = printable(String(code ?? message)).slice(0, 200);
  return code !== undefined && Object.hasOwn(meanings, code) ? `${said}: ${meanings[code]}` : said;
}

export const ofNeither = (place: string): ImportError =>
  new ImportError(`${place} is not a One API or new-api database, or this user may not read its tables.`);
