import { limitHeaderNames } from '@headgate/dialects';
import type { FastifyInstance } from 'fastify';

/** Pages of any site may call, but never with a cookie: the token in the request is what counts. */
export const anyOrigin = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': [
    ...['x-request-id', 'request-id', 'retry-after', 'x-should-retry', 'x-headgate-ignored'],
    ...limitHeaderNames,
  ].join(', '),
} as const;

const preflight = {
  'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
  // The star does not cover Authorization.
  'access-control-allow-headers': 'Authorization, *',
  'access-control-max-age': '86400',
} as const;

/** Of Ollama's API, which shares its beginning with the console's own. */
const ollamaPaths = ['tags', 'chat', 'generate', 'show', 'embed', 'version'].map((name) => `/api/${name}`);

/** Lets browsers in on every route of this plugin. */
export function allowAnyOrigin(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(anyOrigin);
  });
  for (const path of ['/v1/*', '/v1beta/*', '/dashboard/*', ...ollamaPaths]) {
    app.options(path, { schema: { hide: true }, config: { isRelayed: true } }, (_request, reply) =>
      reply.code(204).headers(preflight).send(),
    );
  }
}
