import { randomInt } from 'node:crypto';
import { ListeningConnection } from './listening-connection.ts';

/** The first of the two numbers of every node's lock: any, as long as nothing else in the database uses it. */
export const nodeLockClass = 0x68_67_61_74;

/** Later than this node itself notices that it is out of touch, so that nobody takes it for dead before. */
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

  private constructor(url: string, onFailure: (error: unknown) => void) {
    this.#connection = new ListeningConnection(url, 'headgate_nodes', {
      greet: async (client) => {
        const node = randomInt(1, 2 ** 31);
        for (const setting of keepAlive) await client.query(setting);
        await client.query('select pg_advisory_lock($1, $2)', [nodeLockClass, node]);
        this.#node = node;
      },
      lost: () => {
        if (this.#node !== undefined) this.#former.add(this.#node);
        this.#node = undefined;
      },
      hear: () => undefined,
      restored: () => undefined,
      failed: onFailure,
    });
  }

  static async open(url: string, onFailure: (error: unknown) => void): Promise<NodeLock> {
    const lock = new NodeLock(url, onFailure);
    await lock.#connection.open();
    return lock;
  }

  /** Undefined while this node is out of touch. */
  get node(): number | undefined {
    return this.#node;
  }

  /** The numbers it had before. */
  get former(): ReadonlySet<number> {
    return this.#former;
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}
