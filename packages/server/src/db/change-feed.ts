import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from './database.ts';
import { ListeningConnection } from './listening-connection.ts';

/** What may change under the feet of something kept in memory: a table, or one row of it. */
export type Subject =
  | 'options'
  | `user:${number}`
  | `token:${number}`
  | `channel:${number}`
  | 'channels'
  /** Requests or a test failed on a channel. */
  | `failing:${number}`
  /** A node asks the others for points of an owner, or has given some. */
  | `wanted:${string}`
  | `given:${string}`;

/** `everything`: this node was out of touch for a while and may have missed any change. */
export type Change = Subject | 'everything';

export interface FeedLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

type Listener = (change: Change) => void | Promise<void>;

/** Tells all nodes of a change as soon as it is committed. */
export interface ChangeFeed {
  /** Which node this is: its own notices are told apart by it. */
  readonly id: string;
  /** Says it to the other nodes when the surrounding transaction commits. */
  announce(connection: Database, subjects: readonly Subject[]): Promise<void>;
  /** Says it to the listeners of this node and waits for them. It never fails: what was committed stays so. */
  tell(changes: readonly Change[]): Promise<void>;
  listen(listener: Listener): void;
  close(): Promise<void>;
}

const retryAfterMs = 1000;

/** One process owns a SQLite file, so there is nobody else to tell. */
export function localChangeFeed(log: FeedLog): ChangeFeed {
  const listeners: Listener[] = [];
  let closed = false;
  const apply = async (listener: Listener, change: Change) => {
    try {
      await listener(change);
    } catch (error) {
      if (closed) return;
      log.error({ err: error, change }, 'a change was not applied; trying again');
      setTimeout(() => closed || apply(listener, change), retryAfterMs).unref();
    }
  };
  return {
    id: '',
    announce: async () => undefined,
    tell: async (changes) => {
      for (const change of changes) await Promise.all(listeners.map((listener) => apply(listener, change)));
    },
    listen: (listener) => void listeners.push(listener),
    close: async () => {
      closed = true;
    },
  };
}

/** The channel of changes, and the beginning of the name of every connection that listens to it. */
export const feedName = 'headgate_changes';

/** PostgreSQL's LISTEN and NOTIFY: a notice travels with the commit that caused it. */
export async function postgresChangeFeed(url: string, log: FeedLog): Promise<ChangeFeed> {
  const node = randomBytes(12).toString('hex');
  const local = localChangeFeed(log);
  const connection = new ListeningConnection(
    url,
    { channel: feedName, name: `${feedName} ${node}` },
    {
      hear: (payload) => {
        const [from, subject] = payload.split(' ', 2);
        if (from !== node && subject !== undefined) void local.tell([subject as Subject]);
      },
      restored: () => void local.tell(['everything']),
      failed: (error) => log.warn({ err: error }, 'the change feed is down; trying again'),
    },
  );
  await connection.open();
  return {
    ...local,
    id: node,
    announce: async (database, subjects) => {
      if (subjects.length === 0) return;
      const payloads = subjects.map((subject) => `${node} ${subject}`);
      await sql`select pg_notify(${feedName}, payload) from unnest(${payloads}::text[]) as payload`.execute(database);
    },
    close: async () => {
      await local.close();
      await connection.close();
    },
  };
}
