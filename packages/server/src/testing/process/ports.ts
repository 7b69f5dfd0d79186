import { createServer } from 'node:net';

/** A loopback port on which this process listens. */
export async function listeningPort() {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return { port, [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}

/** A loopback port that was free when checked. */
export async function freePort(): Promise<number> {
  await using taken = await listeningPort();
  return taken.port;
}
