import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { DatabaseMetrics } from '../storage/database-metrics.ts';
import { classifyStorageFault } from '../storage/storage-health.ts';
import type { DatabaseLimits } from './database-limits.ts';
import type { ArrayRow } from './sqlite-dialect.ts';

const connectTimeoutMs = 5000;
/** Added to the server's limits before a connection counts as silent. */
const graceMs = 2000;

/** Lets the server detect a silent machine, whatever its session is doing. */
const serverKeepAlive = [
  'tcp_keepalives_idle=10',
  'tcp_keepalives_interval=5',
  'tcp_keepalives_count=3',
  'tcp_user_timeout=20000',
].map((setting) => `-c ${setting}`);

// Points and counts fit into a safe integer; as strings they would be concatenated instead of added.
const asNumber = (text: string) => Number(text);
const parsers: ReadonlyMap<number, (text: string) => number> = new Map([
  [pg.types.builtins.INT8, asNumber],
  [pg.types.builtins.NUMERIC, asNumber],
]);

export interface CountedPool extends PostgresPool {
  readonly figures: DatabaseMetrics;
  /** Rows of a query, each as an array of its columns. */
  arrays(text: string, values: readonly unknown[]): Promise<ArrayRow[]>;
}

interface PoolManner {
  readonly settings?: pg.PoolConfig;
  /** Statements are prepared per connection on first use. */
  readonly isPrepared?: boolean;
}

/** Connection pool in which nothing waits without a time limit. */
export function postgresPool(url: string, limits: DatabaseLimits, manner: PoolManner = {}): CountedPool {
  const { settings = {}, isPrepared = false } = manner;
  const { options = '', ...others } = settings;
  const names = isPrepared ? new Map<string, string>() : undefined;
  const pool = new pg.Pool({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: limits.idleMs,
    ...(limits.statementMs > 0 && { query_timeout: limits.statementMs + graceMs }),
    ...others,
    options: [...serverKeepAlive, options].join(' '),
    types: { getTypeParser: (oid, format) => parsers.get(oid) ?? pg.types.getTypeParser(oid, format) },
  });
  // Without a listener, a connection that breaks while idle would end the process. It is replaced at its next use.
  pool.on('error', () => undefined);
  // Without a listener, a connection that breaks while in use would end the process too. Its failed query reports the
  // error.
  const fresh = new WeakSet<object>();
  const sessions = new SessionGenerations();
  pool.on('connect', (client) => {
    fresh.add(client);
    sessions.add(client);
    client.on('error', () => undefined);
  });
  const figures = new DatabaseMetrics(() => ({
    used: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  }));
  const connect = async (write: WriteQuery) =>
    discardingBroken(await connection({ pool, fresh, figures, sessions }), { figures, sessions, write });
  const usual: WriteQuery = (text, values) => named(text, values, names);
  return {
    figures,
    options: pool.options,
    connect: () => connect(usual),
    arrays: async (text, values) => {
      const client = await connect((...query) => ({ ...usual(...query), rowMode: 'array' }));
      try {
        return (await client.query<unknown[]>(text, values)).rows;
      } finally {
        client.release();
      }
    },
    end: () => pool.end(),
  };
}

/** Converts a statement and its values to the driver's format. */
type WriteQuery = (text: string, values: readonly unknown[]) => pg.QueryConfig & { readonly rowMode?: 'array' };

interface Connecting {
  readonly pool: pg.Pool;
  /** Connections that have not been used yet. */
  readonly fresh: WeakSet<object>;
  readonly figures: DatabaseMetrics;
  readonly sessions: SessionGenerations;
}

/**
 * Sessions read `default_transaction_read_only` once, when they start. After a read-only error, all sessions of the
 * same generation are replaced at their next use, so that the pool notices when the database is writable again.
 */
class SessionGenerations {
  readonly #generations = new WeakMap<object, number>();
  #current = 0;

  add(client: object): void {
    this.#generations.set(client, this.#current);
  }

  isCurrent(client: object): boolean {
    return this.#generations.get(client) === this.#current;
  }

  /** Ignores late errors of sessions that are already outdated. */
  outdate(client: object): void {
    if (this.isCurrent(client)) this.#current += 1;
  }
}

/** Time spent creating a connection does not count as waiting for a free one. */
async function connection({ pool, fresh, figures, sessions }: Connecting): Promise<pg.PoolClient> {
  const began = performance.now();
  try {
    let client = await pool.connect();
    while (!sessions.isCurrent(client)) {
      client.release(true);
      client = await pool.connect();
    }
    if (!fresh.delete(client)) figures.waited(performance.now() - began);
    return client;
  } catch (error) {
    figures.failed(error);
    throw error;
  }
}

interface QueryHandling {
  readonly figures: DatabaseMetrics;
  readonly sessions: SessionGenerations;
  readonly write: WriteQuery;
}

/** Discards read-only sessions and connections that do not respond, which the driver would keep using. */
function discardingBroken(client: pg.PoolClient, { figures, sessions, write }: QueryHandling): PostgresPoolClient {
  let isSilent = false;
  const query = async (text: string, values: readonly unknown[]) => {
    try {
      return await client.query(write(text, values));
    } catch (error) {
      figures.failed(error);
      if (classifyStorageFault(error) === 'read-only') sessions.outdate(client);
      if (error instanceof Error && error.message === 'Query read timeout') {
        isSilent = true;
        // Not awaited, because a query is in progress.
        void client.end();
      }
      throw error;
    }
  };
  return {
    // The other overload of `query` takes a cursor, which is not used here.
    query: query as unknown as PostgresPoolClient['query'],
    release: (isBroken) => client.release(isSilent || isBroken === true || !sessions.isCurrent(client)),
  };
}

/** A named statement is sent and planned once per connection. */
function named(text: string, values: readonly unknown[], names: Map<string, string> | undefined): pg.QueryConfig {
  if (!names) return { text, values: [...values] };
  const name = names.get(text) ?? `headgate_${names.size + 1}`;
  names.set(text, name);
  return { name, text, values: [...values] };
}
