import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Server, type Socket } from 'node:net';

/**
 * Text that occurs only in the statement that stores a batch of charges. Each batch is a single statement and therefore
 * a single commit.
 */
const ofGroup = '"owner_id":';

/**
 * How a commit fails: its response is lost, the commit itself is lost, the server crashes before it responds, or the
 * network fails first.
 */
type CommitLoss = 'response' | 'commit' | 'server' | 'network';

/** Proxy in front of PostgreSQL that can lose a commit or its response. */
export class CommitProxy {
  #target: URL;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #next: { readonly what: CommitLoss; readonly sign: string; readonly done: () => void } | undefined;
  #state: 'open' | 'cut' | 'silent' = 'open';
  losses = 0;

  private constructor(url: string) {
    this.#target = new URL(url);
    this.#server = createServer((near) => this.#accept(near));
  }

  static async start(url: string): Promise<CommitProxy> {
    const proxy = new CommitProxy(url);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  /** The database URL through the proxy. */
  get url(): string {
    const proxied = new URL(this.#target);
    proxied.host = `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return proxied.href;
  }

  /**
   * Loses the next batch of charges, or the next statement that contains the text. Resolves when it is lost. After
   * `server` and `network`, all traffic is blocked until `open`.
   */
  lose(what: CommitLoss, sign = ofGroup): Promise<void> {
    return new Promise((done) => {
      this.#next = { what, sign, done };
    });
  }

  /** Drops all traffic silently. */
  pullCable(): void {
    this.#state = 'silent';
    for (const socket of this.#sockets) socket.removeAllListeners('data').pause();
  }

  /** Lets all traffic through, to the same server or to the one that replaces it. */
  open(url?: string): void {
    if (url !== undefined) this.#target = new URL(url);
    if (this.#state === 'silent') this.#endAll();
    this.#state = 'open';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#endAll();
    this.#server.close();
  }

  #endAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #accept(near: Socket): void {
    if (this.#state === 'cut') {
      near.destroy();
      return;
    }
    this.#keep(near);
    if (this.#state === 'silent') return;
    const far = dial(Number(this.#target.port), this.#target.hostname);
    this.#keep(far);
    near.on('close', () => far.end());
    far.on('close', () => near.end());
    far.on('data', (bytes) => near.write(bytes));
    near.on('data', (bytes: Buffer) => {
      if (this.#next && bytes.includes(this.#next.sign)) this.#loseNow(near, far, bytes);
      else far.write(bytes);
    });
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.#sockets.delete(socket));
  }

  #loseNow(near: Socket, far: Socket, commit: Buffer): void {
    const { what, done } = this.#next ?? { what: 'commit', done: () => undefined };
    this.#next = undefined;
    this.losses += 1;
    if (what === 'network') {
      this.pullCable();
      done();
      return;
    }
    if (what !== 'commit') far.write(commit);
    far.removeAllListeners('data').resume();
    if (what !== 'server') {
      near.destroy();
      far.end();
      done();
      return;
    }
    this.#state = 'cut';
    // A response from the database means that the commit has completed.
    far.once('data', () => {
      this.#endAll();
      done();
    });
  }
}
