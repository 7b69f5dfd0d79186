import type { FastifyInstance } from 'fastify';

/** `/healthz`: the process answers. `/readyz`: it can serve; no longer so once it is closing. */
export function serveHealth(app: FastifyInstance, isReady: () => Promise<boolean>): void {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  const options = { logLevel: 'silent', schema: { hide: true } } as const;
  app.get('/healthz', options, () => ({ status: 'ok' }));
  app.get('/readyz', options, async (_, reply) => {
    const ready = !closing && (await isReady());
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready' });
  });
}
