import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';

/** What becomes of a commit: its answer is lost, the commit itself is, or its answer is kept back by a server that crashes. */
type Loss = 'answer' | 'commit' | 'server';

/** Stands before PostgreSQL, and can lose a commit or the answer to it. */
export interface CommitProxy {
  /** The given address, by way of the proxy. */
  readonly url: string;
  readonly losses: number;
  /** The next commit is lost; resolves when it is. After `server` nobody gets through until `open`. */
  lose(what: Loss): Promise<void>;
  open(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function commitProxy(url: string): Promise<CommitProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let next: { readonly what: Loss; readonly done: () => void } | undefined;
  let losses = 0;
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = dial(Number(target.port), target.hostname);
    join(near, far);
    far.on('data', (bytes) => near.write(bytes));
    near.on('data', (bytes: Buffer) => {
      if (next === undefined || !bytes.includes('commit')) return void far.write(bytes);
      const { what, done } = next;
      next = undefined;
      losses += 1;
      if (what !== 'commit') far.write(bytes);
      if (what !== 'server') {
        far.removeAllListeners('data').resume();
        near.destroy();
        far.end();
        return done();
      }
      isCut = true;
      // Once it has answered, it has committed.
      far.removeAllListeners('data').once('data', () => {
        for (const socket of sockets) socket.destroy();
        done();
      });
    });
  });
  const join = (near: Socket, far: Socket) => {
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.end();
      });
    }
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxied = new URL(url);
  proxied.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: proxied.href,
    get losses() {
      return losses;
    },
    lose: (what) =>
      new Promise((done) => {
        next = { what, done };
      }),
    open: () => {
      isCut = false;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
