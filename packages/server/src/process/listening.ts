import { once } from 'node:events';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { inertContentHeaders } from '../http/security-headers.ts';
import { StartFailure } from '../platform/errors/start-failure.ts';
import { createServer } from '../platform/outgoing/node-http.ts';

type ListenAddress = Pick<Config, 'host' | 'port'>;

const startingBody = JSON.stringify({
  error: { message: 'The gateway is starting', type: 'server_error', param: null, code: 'starting' },
});

const startingHeaders = {
  'content-type': 'application/json',
  'content-length': Buffer.byteLength(startingBody),
  'retry-after': '1',
  connection: 'close',
  ...inertContentHeaders,
};

const mostConnections = 1000;

/**
 * Binds the port before touching the database, so that a start that cannot listen changes nothing. Returns 503 to
 * every request until released.
 */
export async function reservePort({ host, port }: ListenAddress): Promise<{ release(): void }> {
  const server = createServer((_, response) => response.writeHead(503, startingHeaders).end(startingBody));
  server.maxConnections = mostConnections;
  server.listen({ host, port });
  await once(server, 'listening').catch((error: unknown) => {
    throw listenFailure(error, { host, port });
  });
  return {
    release: () => {
      // Closes connections too, so that a slow client does not delay the start.
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Resolves with the address. */
export async function listen(app: FastifyInstance, { host, port }: ListenAddress): Promise<string> {
  const level = app.log.level ?? 'info';
  try {
    // Our ready line replaces Fastify's.
    app.log.level = 'silent';
    return await app.listen({ host, port });
  } catch (error) {
    await app.close();
    throw listenFailure(error, { host, port });
  } finally {
    app.log.level = level;
  }
}

function listenFailure(error: unknown, { host, port }: ListenAddress): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  return code === 'EADDRINUSE'
    ? new StartFailure(`Port ${port} on ${host} is already in use; set PORT to another.`)
    : new StartFailure(`Cannot listen on ${host}:${port} (${code}); check HOST and PORT.`);
}
