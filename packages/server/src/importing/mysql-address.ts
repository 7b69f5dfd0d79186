import { StartFailure } from '../start-failure.ts';
import { badAddress, placeOf } from './source-address.ts';

interface MysqlAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly ssl?: { readonly rejectUnauthorized: boolean };
  /** Where it is, in words that anybody may read. */
  readonly place: string;
}

const usualPort = 3306;

/** As the gateways themselves are told it in SQL_DSN: user:password@tcp(host:3306)/name. */
const beforeHost = '@tcp(';

export const isMysqlAddress = (from: string): boolean => /^mysql:\/\//i.test(from) || from.includes(beforeHost);

export function mysqlAddress(from: string): MysqlAddress {
  const url = urlOf(from);
  const place = placeOf(url.href, 'MySQL');
  const database = decodeURIComponent(url.pathname.slice(1));
  if (database === '') throw new StartFailure(`${place} names no database: it follows the last slash.`);
  const tls = url.searchParams.get('tls') ?? 'false';
  return {
    host: url.hostname.replace(/^\[|\]$/g, '') || 'localhost',
    port: Number(url.port) || usualPort,
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database,
    ...(tls !== 'false' && { ssl: { rejectUnauthorized: tls !== 'skip-verify' } }),
    place,
  };
}

function urlOf(from: string): URL {
  try {
    return new URL(from.includes(beforeHost) ? urlOfGateway(from) : from);
  } catch {
    throw badAddress();
  }
}

/** A password may hold anything, so the host is what stands last. */
function urlOfGateway(from: string): string {
  const at = from.lastIndexOf(beforeHost);
  const [user = '', ...password] = from.slice(0, at).split(':');
  const [host = '', ...path] = from.slice(at + beforeHost.length).split(')');
  return `mysql://${encodeURIComponent(user)}:${encodeURIComponent(password.join(':'))}@${host}${path.join(')')}`;
}
