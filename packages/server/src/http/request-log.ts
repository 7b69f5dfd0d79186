import type { FastifyInstance } from 'fastify';

/** One line per request, written after the response; health checks are not logged. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    if (request.routeOptions.logLevel === 'silent') return;
    request.log.info({ req: request, res: reply, ms: Math.round(reply.elapsedTime) }, 'request');
  });
}
