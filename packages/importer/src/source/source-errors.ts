import { ImportError } from '../import-error.ts';

/** Location of a database server for messages, without user and password. */
export function redactAddress(address: string, server: string): string {
  const url = parseAddress(address);
  const { hostname, port, pathname, search, hash, username, password } = url;
  // An unencoded #, ? or / in the password ends the host early; the parsed host and port would then contain
  // credentials.
  if (address.includes('@') && (username === '' || /@/.test(pathname + search + hash))) throw invalidAddress();
  for (const part of [username, password, pathname]) safeDecode(part);
  return `${server} at ${hostname || 'this machine'}${port === '' ? '' : `:${port}`}${pathname}`;
}

export function parseAddress(address: string): URL {
  try {
    return new URL(address);
  } catch {
    throw invalidAddress();
  }
}

export function safeDecode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw invalidAddress();
  }
}

export const invalidAddress = () =>
  new ImportError(
    'Invalid database address. Encode special characters in the user and password: %40 for @, %23 for #, %25 for %.',
  );

/**
 * Error for a source that cannot be read. Server messages about rows are omitted because they may contain row
 * contents.
 */
export function readError(place: string, error: unknown): ImportError {
  if (error instanceof ImportError) return error;
  const { code, message } = error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error) };
  return new ImportError(`${place} cannot be read (${reasonOf(code, message)}).`, { cause: error });
}

const noResponse = 'no response';
const wrongCredentials = 'wrong user or password';
const databaseNotFound = 'database not found';
const permissionDenied = 'this user may not read all tables and rows';
const untrustedCertificate = 'untrusted certificate; set NODE_EXTRA_CA_CERTS to use your own certificate authority';

/** Explanations of network, TLS and server error codes. */
const explanations: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'host not found',
  ETIMEDOUT: noResponse,
  PROTOCOL_SEQUENCE_TIMEOUT: noResponse,
  '28P01': wrongCredentials,
  '28000': wrongCredentials,
  ER_ACCESS_DENIED_ERROR: wrongCredentials,
  '3D000': databaseNotFound,
  ER_BAD_DB_ERROR: databaseNotFound,
  '42501': permissionDenied,
  ER_DBACCESS_DENIED_ERROR: permissionDenied,
  ER_TABLEACCESS_DENIED_ERROR: permissionDenied,
  HANDSHAKE_SSL_ERROR: untrustedCertificate,
  HANDSHAKE_NO_SSL_SUPPORT: 'the server does not support TLS',
  MYSQL_CLEAR_PASSWORD_NOT_ENABLED: 'the server requests the password in plain text',
  ERR_TLS_CERT_ALTNAME_INVALID: untrustedCertificate,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrustedCertificate,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrustedCertificate,
  SELF_SIGNED_CERT_IN_CHAIN: untrustedCertificate,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrustedCertificate,
  CERT_HAS_EXPIRED: untrustedCertificate,
};

function reasonOf(code: string | undefined, message: string): string {
  if (code === undefined && /LOCAL INFILE/.test(message)) return 'the server requests a local file';
  const sent = escapeControlCharacters(String(code ?? message)).slice(0, 200);
  return code !== undefined && Object.hasOwn(explanations, code) ? `${sent}: ${explanations[code]}` : sent;
}

export const unknownDatabase = (place: string): ImportError =>
  new ImportError(`${place} is not a One API, new-api or LiteLLM database, or this user may not read its tables.`);

/** Escapes control characters and bidirectional text controls for terminal output. */
export const escapeControlCharacters = (line: string): string =>
  line.replace(
    /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
