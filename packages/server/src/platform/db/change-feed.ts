import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { type Broadcasts, disabledBroadcasts, NodeBroadcasts } from '../broadcasts/broadcasts.ts';
import type { ChangeAnnouncement } from './await-confirmation.ts';
import { Confirmations, type LiveNode } from './confirmations.ts';
import type { Database } from './database.ts';
import { ListeningConnection } from './listening-connection.ts';
import { feedName, isNodeAlive, isNodeListening } from './live-nodes.ts';

/** Cached data that may change: a table, or one row of it. */
export type Subject =
  | 'options'
  | 'prices'
  /** Alert destinations or rules. */
  | 'alerts'
  | 'incidents'
  | `user:${number}`
  | `token:${number}`
  | `channel:${number}`
  | 'channels'
  | 'limits'
  /** Payload logging settings. */
  | 'bodies'
  | 'routing'
  | 'jwt_issuers'
  /** Budgets of an owner: its kind, and its id or name. */
  | `budget:${string}`
  /** Requests or a test failed on a channel. */
  | `failing:${number}`
  /** A node requests an owner's quota or has released some of it. */
  | `wanted:${string}`
  | `given:${string}`;

/** `everything`: this node was disconnected and may have missed any change. */
export type Change = Subject | 'everything';

export interface FeedLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

type Listener = (change: Change) => void | Promise<void>;

/** Notifies all nodes of a change as soon as it is committed. */
export interface ChangeFeed {
  /** Id of this node, to recognize its own notifications. */
  readonly id: string;
  /** Notifies other nodes when the surrounding transaction commits. Returns undefined if no confirmation is needed. */
  announce(connection: Database, subjects: readonly Subject[]): Promise<ChangeAnnouncement | undefined>;
  /**
   * Notifies the listeners of this node and returns whether all have applied the change; the others are retried. Never
   * fails, because the change is already committed.
   */
  applyLocally(changes: readonly Change[]): Promise<boolean>;
  listen(listener: Listener): void;
  /**
   * Called once all listeners are added. Applies the changes received so far again, because a change may arrive after a
   * table was loaded and before its listener was added.
   */
  start(): Promise<void>;
  readonly broadcasts: Broadcasts;
  /** Sets whether there are other nodes: a single node broadcasts nothing. */
  setHasOthers(hasOthers: boolean): void;
  close(): Promise<void>;
}

const retryAfterMs = 1000;

/** For SQLite, where a single process owns the file. */
export function localChangeFeed(log: FeedLog): ChangeFeed {
  const listeners: Listener[] = [];
  let receivedBeforeStart: Set<Change> | undefined = new Set();
  let closed = false;
  const apply = async (listener: Listener, change: Change): Promise<boolean> => {
    try {
      await listener(change);
      return true;
    } catch (error) {
      if (closed) return false;
      log.error({ err: error, change }, 'a change was not applied; trying again');
      setTimeout(() => closed || apply(listener, change), retryAfterMs).unref();
      return false;
    }
  };
  const applyLocally = async (changes: readonly Change[]): Promise<boolean> => {
    let isApplied = true;
    for (const change of changes) {
      receivedBeforeStart?.add(change);
      const applied = await Promise.all(listeners.map((listener) => apply(listener, change)));
      isApplied &&= applied.every(Boolean);
    }
    return isApplied;
  };
  return {
    id: '',
    broadcasts: disabledBroadcasts,
    setHasOthers: () => undefined,
    announce: async () => undefined,
    applyLocally,
    listen: (listener) => void listeners.push(listener),
    start: async () => {
      const early = [...(receivedBeforeStart ?? [])];
      receivedBeforeStart = undefined;
      await applyLocally(early);
    },
    close: async () => {
      closed = true;
    },
  };
}

/** Changes whose caller waits until all nodes have confirmed them. */
const isConfirmed = (subject: string): boolean =>
  /^(options|prices|channels|limits|routing|jwt_issuers|(user|token|channel):\d+)$/.test(subject);

const broadcastChannel = 'headgate_broadcasts';

const confirmingChannel = (id: string): string => `headgate_confirmed_${id}`;

/**
 * Change feed over PostgreSQL's LISTEN and NOTIFY: a notification is sent with the commit that caused it. It contains
 * the node id, the subject and, if the caller waits, the change number and a mark on the last notification of that
 * number. A node that has applied all notifications of a number confirms it on the sender's channel.
 */
export async function postgresChangeFeed(
  url: string,
  log: FeedLog,
  confirmingPatienceMs?: number,
): Promise<ChangeFeed> {
  const id = randomBytes(12).toString('hex');
  const local = localChangeFeed(log);
  /** Not awaited, because these messages may be lost. */
  const say = (text: string, values: readonly unknown[]) => {
    connection.query(text, values).catch((error: unknown) => log.warn({ err: error }, 'the change feed is down'));
  };
  const confirmations = new Confirmations(id, confirmationEvents(say), confirmingPatienceMs);
  const received = new ReceivedChanges(
    (subject) => local.applyLocally([subject as Subject]),
    (from, number) => say('select pg_notify($1, $2)', [confirmingChannel(from), `${number} ${id}`]),
  );
  const broadcasts = new NodeBroadcasts(id, (payload) => say('select pg_notify($1, $2)', [broadcastChannel, payload]));
  const read = (payload: string, channel: string) => {
    if (channel === broadcastChannel) return broadcasts.receive(payload);
    const words = payload.split(' ');
    if (channel === confirmingChannel(id)) confirmations.confirm(Number(words[0]), words[1] ?? '');
    else if (words[0] !== id) received.receive(words);
  };
  /** Anyone with database access can send notifications, so an unreadable notification must not end the process. */
  const receive = (payload: string, channel: string) => {
    try {
      read(payload, channel);
    } catch (error) {
      log.warn({ err: error, channel }, 'a notification from another node could not be read');
    }
  };
  const restored = async () => {
    if (await local.applyLocally(['everything'])) say('update nodes set unconfirmed_time = 0 where id = $1', [id]);
  };
  const connection = new ListeningConnection(
    url,
    { channel: feedName, name: `${feedName} ${id}` },
    {
      greet: async (client) => void (await client.query(`listen ${confirmingChannel(id)}; listen ${broadcastChannel}`)),
      receive,
      restored: () => void restored(),
      failed: (error) => log.warn({ err: error }, 'the change feed is down; trying again'),
    },
  );
  await connection.open();
  return {
    ...local,
    id,
    broadcasts,
    setHasOthers: (hasOthers) => {
      broadcasts.hasOthers = hasOthers;
    },
    announce: (database, subjects) => announce(database, subjects, { id, confirmations }),
    close: async () => {
      await local.close();
      await connection.close();
    },
  };
}

/** Stores which nodes are late in confirming changes. */
const confirmationEvents = (say: (text: string, values: readonly unknown[]) => void) => ({
  late: (ids: readonly string[]) =>
    say('update nodes set unconfirmed_time = extract(epoch from now()) where id = any($1)', [ids]),
  caughtUp: (node: string) => say('update nodes set unconfirmed_time = 0 where id = $1', [node]),
});

interface Announcer {
  readonly id: string;
  readonly confirmations: Confirmations;
}

/** Notifies other nodes, and expects confirmation if one of the subjects needs it. */
async function announce(
  database: Database,
  subjects: readonly Subject[],
  { id, confirmations }: Announcer,
): ReturnType<ChangeFeed['announce']> {
  const [last] = subjects.slice(-1);
  if (last === undefined) return undefined;
  if (!subjects.some(isConfirmed)) {
    await notify(
      database,
      subjects.map((subject) => `${id} ${subject}`),
    );
    return undefined;
  }
  const number = confirmations.next();
  const payloads = subjects.map((subject) => `${id} ${subject} ${number}${subject === last ? ' last' : ''}`);
  return confirmations.expect(number, await notify(database, payloads));
}

/** Sends notifications with the commit and returns the nodes that have to confirm them. */
async function notify(database: Database, payloads: readonly string[]): Promise<readonly LiveNode[]> {
  const { rows } = await sql<{ nodes: readonly LiveNode[] }>`
    select count(pg_notify(${feedName}, payload)::text) as told, coalesce(
      (select json_agg(json_build_object('id', id, 'name', name, 'is_fresh', ${isNodeAlive})) from nodes
        where ${isNodeAlive} or ${isNodeListening}), '[]') as nodes
    from unnest(${payloads}::text[]) as payload`.execute(database);
  return rows[0]?.nodes ?? [];
}

/** Above this number of incomplete changes, the oldest is dropped. */
const mostBegun = 1000;

/** Changes announced by other nodes. */
export class ReceivedChanges {
  readonly #notify: (subject: string) => Promise<boolean>;
  readonly #confirm: (from: string, number: string) => void;
  /** Changes whose last notification has not arrived yet. */
  readonly #begun = new Map<string, Promise<boolean>>();

  /** `confirm` is called for every change that was applied completely. */
  constructor(notify: (subject: string) => Promise<boolean>, confirm: (from: string, number: string) => void) {
    this.#notify = notify;
    this.#confirm = confirm;
  }

  /** Fields of a notification: sender, subject, and optionally the change number and a `last` mark. */
  receive([from, subject, number, last]: readonly string[]): void {
    if (from === undefined || subject === undefined) return;
    const applied = this.#notify(subject);
    // Nodes of an earlier version do not wait for confirmation.
    if (number === undefined) return;
    const key = `${from} ${number}`;
    const all = both(this.#begun.get(key), applied);
    this.#begun.delete(key);
    if (last === undefined) this.#begin(key, all);
    else void all.then((isApplied) => isApplied && this.#confirm(from, number));
  }

  #begin(key: string, applied: Promise<boolean>): void {
    this.#begun.set(key, applied);
    const [oldest] = this.#begun.keys();
    if (this.#begun.size > mostBegun && oldest !== undefined) this.#begun.delete(oldest);
  }

  /** Number of incomplete changes. */
  get begun(): number {
    return this.#begun.size;
  }
}

async function both(earlier: Promise<boolean> | undefined, later: Promise<boolean>): Promise<boolean> {
  const isLaterApplied = await later;
  return (await (earlier ?? true)) && isLaterApplied;
}
