import type pg from 'pg';

interface Events {
  readonly receive: (payload: string, channel: string) => void;
  /** Called when the connection is restored; notifications sent in the meantime were missed. */
  readonly restored: () => void;
  readonly failed: (error: unknown) => void;
  /** Runs on every new connection before it is used. */
  readonly greet?: (client: pg.Client) => Promise<void>;
  /** Called when the server has responded to a check that was sent at this monotonic time. */
  readonly responded?: (sentAt: number) => void;
  /** Called when the connection is lost and is being restored. */
  readonly lost?: () => void;
}

const pauses = {
  reconnectAfterMs: 1000,
  responseTimeoutMs: 5000,
  /** A connection dropped by a firewall stays silent; only a query detects it. */
  requestEveryMs: 20_000,
} as const;

type Pauses = Readonly<Record<keyof typeof pauses, number>>;

/** Channel on which to listen, and application name of the connection. */
interface Listening {
  readonly channel: string;
  readonly name: string;
}

/** Dedicated connection that listens to one channel and reconnects whenever it breaks. */
export class ListeningConnection {
  readonly #url: string;
  readonly #listening: Listening;
  readonly #events: Events;
  readonly #pauses: Pauses;
  #client: pg.Client | undefined;
  #reconnecting: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(url: string, listening: string | Listening, events: Events, ownPauses: Partial<Pauses> = {}) {
    this.#url = url;
    this.#listening = typeof listening === 'string' ? { channel: listening, name: listening } : listening;
    this.#events = events;
    this.#pauses = { ...pauses, ...ownPauses };
  }

  /** The first connection must succeed; only later ones are retried. */
  async open(): Promise<void> {
    const { Client } = await import('pg');
    const client = new Client({
      connectionString: this.#url,
      application_name: this.#listening.name,
      connectionTimeoutMillis: this.#pauses.responseTimeoutMs,
      query_timeout: this.#pauses.responseTimeoutMs,
      keepAlive: true,
    });
    let hasEnded = false;
    client.on('error', this.#events.failed);
    client.on('notification', ({ payload = '', channel }) => this.#events.receive(payload, channel));
    client.on('end', () => {
      hasEnded = true;
      if (client === this.#client) this.#scheduleReconnect();
    });
    try {
      await client.connect();
      await client.query(`listen ${this.#listening.channel}`);
      await this.#events.greet?.(client);
    } catch (error) {
      await client.end();
      throw error;
    }
    this.#client = client;
    if (hasEnded) this.#scheduleReconnect();
    else this.#sendAgain(client);
  }

  /** Runs a query on the same connection; fails while there is no connection. */
  async query(text: string, values: readonly unknown[]): Promise<void> {
    if (!this.#client) throw new Error('Not connected to the database.');
    await this.#client.query(text, [...values]);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#reconnecting;
    await this.#client?.end();
  }

  #sendAgain(client: pg.Client): void {
    this.#after(this.#pauses.requestEveryMs, () => {
      const sentAt = performance.now();
      client.query('select 1').then(
        () => {
          this.#events.responded?.(sentAt);
          this.#sendAgain(client);
        },
        () => client.end(),
      );
    });
  }

  #scheduleReconnect(): void {
    this.#client = undefined;
    this.#events.lost?.();
    this.#after(this.#pauses.reconnectAfterMs, () => {
      this.#reconnecting = this.open().then(this.#events.restored, (error: unknown) => {
        this.#events.failed(error);
        this.#scheduleReconnect();
      });
    });
  }

  /** Only one timer is active: the next check or the next reconnect. */
  #after(ms: number, act: () => void): void {
    clearTimeout(this.#timer);
    if (!this.#isClosed) this.#timer = setTimeout(act, ms).unref();
  }
}
