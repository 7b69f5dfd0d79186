import { ImportError } from '../import-error.ts';
import { printable } from './printable.ts';

/** Where a database server is, in words that anybody may read: neither user nor password. */
export function placeOf(address: string, server: string): string {
  const url = addressOf(address);
  const { hostname, port, pathname, search, hash, username, password } = url;
  // An unencoded #, ? or / ends the host early: what then seems to be host and port is user and password.
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
    'This is no valid address of a database: write special characters of user and password as %40 for @, %23 for #, %25 for %.',
  );

/** Why a source cannot be read, in one sentence. What a server says of a row may tell what is in it, and is left out. */
export function cannotBeRead(place: string, error: unknown): ImportError {
  if (error instanceof ImportError) return error;
  const { code, message } = error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error) };
  return new ImportError(`${place} cannot be read (${reasonOf(code, message)}).`, { cause: error });
}

const silent = 'it does not answer';
const wrongSignIn = 'user or password is wrong';
const noDatabase = 'it has no database of that name';
const mayNot = 'this user may not read all of it';
const untrusted = 'its certificate cannot be trusted; NODE_EXTRA_CA_CERTS names an authority of your own';

/** What codes of the network, of TLS and of the servers mean. */
const meanings: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
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
  HANDSHAKE_NO_SSL_SUPPORT: 'it does not speak TLS',
  MYSQL_CLEAR_PASSWORD_NOT_ENABLED: 'it asks for the password in the clear',
  ERR_TLS_CERT_ALTNAME_INVALID: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  CERT_HAS_EXPIRED: untrusted,
};

function reasonOf(code: string | undefined, message: string): string {
  if (code === undefined && /LOCAL INFILE/.test(message)) return 'it asks for a file of this machine';
  const said = printable(String(code ?? message)).slice(0, 200);
  return code !== undefined && Object.hasOwn(meanings, code) ? `${said}: ${meanings[code]}` : said;
}

export const ofNeither = (place: string): ImportError =>
  new ImportError(`${place} is a database of neither One API nor new-api, or its tables may not be read.`);
