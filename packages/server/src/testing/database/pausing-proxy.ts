import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';

/** Proxy between a client and a server that simulates network faults. */
export interface PausingProxy {
  /** The server URL through the proxy. */
  readonly url: string;
  /** Number of connections so far. */
  readonly attempts: number;
  /** Drops all traffic silently, like a firewall that lost its connection state. */
  freeze(): void;
  /** Breaks every connection, and rejects new ones until `open`. */
  cut(): void;
  open(): void;
  /** Allows this many connections and rejects later ones. */
  allow(max: number): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** `delayMs` delays the server's responses. */
export async function pausingProxy(url: string, delayMs = 0): Promise<PausingProxy> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let attempts = 0;
  let isCut = false;
  let allowed = Number.POSITIVE_INFINITY;
  const server = createServer((near) => {
    attempts += 1;
    if (isCut || attempts > allowed) return void near.destroy();
    const far = dial(Number(target.port), target.hostname);
    near.pipe(far);
    if (delayMs === 0) far.pipe(near);
    else far.on('data', (bytes) => setTimeout(() => near.write(bytes), delayMs));
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const proxied = new URL(url);
  proxied.host = `127.0.0.1:${port}`;
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: proxied.href,
    get attempts() {
      return attempts;
    },
    freeze: () => {
      for (const socket of sockets) socket.unpipe().pause();
    },
    cut,
    open: () => {
      isCut = false;
    },
    allow: (max) => {
      allowed = max;
    },
    [Symbol.asyncDispose]: async () => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
