import { limitHeaderNames } from '@headgate/dialects';
import type { FastifyInstance } from 'fastify';
import { inertContent } from '../../http/security-headers.ts';
import { rejectBrowserContent } from './browser-guard.ts';

/**
 * Headers of every reply of the relay. Pages of any site may call it, but never with a cookie: the token in the request
 * is what counts.
 */
export const relayHeaders = {
  ...inertContent,
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

/** Admits pages of other sites on every route of this plugin, but no navigation and no form. */
export function admitBrowsers(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(relayHeaders);
    rejectBrowserContent(request.headers);
  });
  for (const path of ['/v1/*', '/v1beta/*', '/dashboard/*', ...ollamaPaths]) {
    app.options(path, { config: { isRelayed: true } }, (_request, reply) => reply.code(204).headers(preflight).send());
  }
}
