import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Server, type Socket } from 'node:net';

/** What only a group of charges has in it: one statement, and with it its commit. */
const ofGroup = '"owner_id":';

/**
 * What becomes of a commit: its answer is lost, the commit itself is, its answer is kept back by a server that crashes, or the
 * cable is pulled before it.
 */
type Loss = 'answer' | 'commit' | 'server' | 'cable';

/** Stands before PostgreSQL, and can lose a commit or the answer to it. */
export class CommitProxy {
  #target: URL;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #next: { readonly what: Loss; readonly sign: string; readonly done: () => void } | undefined;
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

  /** The given address, by way of the proxy. */
  get url(): string {
    const proxied = new URL(this.#target);
    proxied.host = `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return proxied.href;
  }

  /**
   * The next group of charges is lost, or the next statement with that sign; resolves when it is. After `server` and `cable`
   * nobody gets through until `open`.
   */
  lose(what: Loss, sign = ofGroup): Promise<void> {
    return new Promise((done) => {
      this.#next = { what, sign, done };
    });
  }

  /** Nobody gets through, and nobody is told. */
  pullCable(): void {
    this.#state = 'silent';
    for (const socket of this.#sockets) socket.removeAllListeners('data').pause();
  }

  /** Lets everybody through, to the same server or to the one that took over. */
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
    if (what === 'cable') {
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
    // Once it has answered, it has committed.
    far.once('data', () => {
      this.#endAll();
      done();
    });
  }
}
