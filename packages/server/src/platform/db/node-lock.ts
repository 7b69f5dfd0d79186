import { randomInt } from 'node:crypto';
import { ListeningConnection } from './listening-connection.ts';

/** First key of every node's advisory lock; must be unique in the database. */
export const nodeLockClass = 0x68_67_61_74;

/** Interval at which a node confirms that it holds its lock. */
const requestEveryMs = 1000;

/** PostgreSQL ends the session of an unresponsive machine, which releases the lock. */
const keepAlive = [
  'set tcp_keepalives_idle = 30',
  'set tcp_keepalives_interval = 5',
  'set tcp_keepalives_count = 3',
] as const;

/**
 * Advisory lock that PostgreSQL holds for this node while the connection is open, so it is released however the node
 * ends. Each connection uses a new id, because the previous id may still count as alive.
 */
export class NodeLock {
  readonly #connection: ListeningConnection;
  readonly #former = new Set<number>();
  #node: number | undefined;
  readonly #aloneMs: number;
  #sureAt = Number.NEGATIVE_INFINITY;

  private constructor(url: string, aloneMs: number, onFailure: (error: unknown) => void) {
    this.#aloneMs = aloneMs;
    this.#connection = new ListeningConnection(
      url,
      'headgate_nodes',
      {
        greet: async (client) => {
          const node = randomInt(1, 2 ** 31);
          for (const setting of keepAlive) await client.query(setting);
          const sentAt = performance.now();
          await client.query('select pg_advisory_lock($1, $2)', [nodeLockClass, node]);
          // Moves the leases to the new id before other nodes take them, so that reservations of in-flight requests
          // stay covered.
          await client.query('update leases set node = $1 where node = any($2)', [node, [...this.#former]]);
          this.#former.add(node);
          this.#node = node;
          this.#sureAt = sentAt;
        },
        responded: (sentAt) => {
          this.#sureAt = sentAt;
        },
        lost: () => {
          this.#node = undefined;
        },
        receive: () => undefined,
        restored: () => undefined,
        failed: onFailure,
      },
      { requestEveryMs },
    );
  }

  /** `aloneMs`: how long the node relies on its lock after the last confirmation. */
  static async open(url: string, aloneMs: number, onFailure: (error: unknown) => void): Promise<NodeLock> {
    const lock = new NodeLock(url, aloneMs, onFailure);
    await lock.#connection.open();
    return lock;
  }

  /** Undefined while this node is disconnected. */
  get node(): number | undefined {
    return performance.now() - this.#sureAt < this.#aloneMs ? this.#node : undefined;
  }

  /** All ids used so far, including the current one. */
  get former(): ReadonlySet<number> {
    return this.#former;
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}
