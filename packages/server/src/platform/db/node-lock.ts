import { randomInt } from 'node:crypto';
import { ListeningConnection } from './listening-connection.ts';

/** The first of the two numbers of every node's lock: any, as long as nothing else in the database uses it. */
export const nodeLockClass = 0x68_67_61_74;

/** How often a node makes sure that its lock is held. */
const askEveryMs = 1000;

/** The server ends the session of a machine that fell silent, and with it the lock. */
const keepAlive = [
  'set tcp_keepalives_idle = 30',
  'set tcp_keepalives_interval = 5',
  'set tcp_keepalives_count = 3',
] as const;

/**
 * A lock that PostgreSQL holds for this node exactly as long as the two are in touch: however a node ends, its lock is
 * free. Each connection has a number of its own, for the one before may still be thought to live.
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
          // What its running requests hold stays leased: to the new number, before others take it back.
          await client.query('update leases set node = $1 where node = any($2)', [node, [...this.#former]]);
          this.#former.add(node);
          this.#node = node;
          this.#sureAt = sentAt;
        },
        answered: (sentAt) => {
          this.#sureAt = sentAt;
        },
        lost: () => {
          this.#node = undefined;
        },
        hear: () => undefined,
        restored: () => undefined,
        failed: onFailure,
      },
      { askEveryMs },
    );
  }

  /** `aloneMs`: how long it counts on its lock after it last made sure of it. */
  static async open(url: string, aloneMs: number, onFailure: (error: unknown) => void): Promise<NodeLock> {
    const lock = new NodeLock(url, aloneMs, onFailure);
    await lock.#connection.open();
    return lock;
  }

  /** Undefined while this node is out of touch. */
  get node(): number | undefined {
    return performance.now() - this.#sureAt < this.#aloneMs ? this.#node : undefined;
  }

  /** The numbers it had, the present one included. */
  get former(): ReadonlySet<number> {
    return this.#former;
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}
