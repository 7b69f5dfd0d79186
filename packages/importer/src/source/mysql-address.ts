import { ImportError } from '../import-error.ts';
import { invalidAddress, parseAddress, redactAddress, safeDecode } from './source-errors.ts';

export interface MysqlAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  /** Replaces host and port. */
  readonly socketPath?: string;
  /** The driver verifies the certificate's host name only if `verifyIdentity` is set. */
  readonly ssl?: { readonly rejectUnauthorized: boolean; readonly verifyIdentity: boolean };
  /** Location for messages, without credentials. */
  readonly place: string;
}

const defaultPort = 3306;
const scheme = /^(mysql|mariadb):\/\//i;

interface Dsn {
  readonly user: string;
  readonly password: string;
  readonly net: string;
  readonly at: string;
  /** Database name and parameters. */
  readonly rest: string;
}

const nets: readonly string[] = ['', 'tcp', 'unix'];

/**
 * Parses the SQL_DSN format of the gateways: user:password@tcp(host:3306)/name, @unix(/socket)/name or @/name. A
 * password may contain any character, so the host is located from the end.
 */
function parseDsn(from: string): Dsn | undefined {
  const slash = from.lastIndexOf('/');
  const sign = slash < 0 ? -1 : from.lastIndexOf('@', slash);
  if (sign < 0) return undefined;
  const place = from.slice(sign + 1, slash);
  const [net = '', ...behind] = place.split('(');
  const at = behind.join('(');
  if (!nets.includes(net) || (behind.length > 0 && !at.endsWith(')'))) return undefined;
  const [user = '', ...password] = from.slice(0, sign).split(':');
  return { user, password: password.join(':'), net, at: at.slice(0, -1), rest: from.slice(slash + 1) };
}

export const isMysqlAddress = (from: string): boolean =>
  scheme.test(from) || (!from.includes('://') && parseDsn(from) !== undefined);

export function mysqlAddress(from: string): MysqlAddress {
  const { url, socketPath } = scheme.test(from) ? { url: parseAddress(from), socketPath: undefined } : dsnOf(from);
  const place = redactAddress(url.href, 'MySQL');
  const database = safeDecode(url.pathname.slice(1));
  if (database === '') throw new ImportError(`${place} has no database name after the last slash.`);
  const tls = url.searchParams.get('tls') ?? 'false';
  return {
    host: url.hostname.replace(/^\[|\]$/g, '') || 'localhost',
    port: Number(url.port) || defaultPort,
    user: safeDecode(url.username),
    password: safeDecode(url.password),
    database,
    ...(socketPath !== undefined && { socketPath }),
    ...(tls !== 'false' && { ssl: certificateChecks(tls !== 'skip-verify') }),
    place,
  };
}

const certificateChecks = (isChecked: boolean) => ({ rejectUnauthorized: isChecked, verifyIdentity: isChecked });

function dsnOf(from: string): { readonly url: URL; readonly socketPath: string | undefined } {
  const { user, password, net, at, rest } = parseDsn(from) ?? { user: '', password: '', net: '', at: '', rest: '' };
  const isSocket = net === 'unix';
  if (user === '' || (isSocket && at === '')) throw invalidAddress();
  const host = isSocket || at === '' ? 'localhost' : at;
  return {
    url: parseAddress(`mysql://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${host}/${rest}`),
    socketPath: isSocket ? at : undefined,
  };
}
