import type { FastifyInstance } from 'fastify';

/**
 * `/healthz`: the process is running; waits for nothing. `/readyz`: it can serve requests, or the reasons why not.
 * Concurrent checks share one result.
 */
export function serveHealth(app: FastifyInstance, whatIsWrong: () => Promise<readonly string[]>): void {
  let looking: Promise<readonly string[]> | undefined;
  const look = () => {
    looking ??= whatIsWrong().finally(() => {
      looking = undefined;
    });
    return looking;
  };
  const options = { logLevel: 'silent' } as const;
  app.get('/healthz', options, () => ({ status: 'ok' }));
  app.get('/readyz', options, async (_, reply) => {
    const reasons = await look();
    return reasons.length === 0 ? { status: 'ready' } : reply.code(503).send({ status: 'not ready', reasons });
  });
}
