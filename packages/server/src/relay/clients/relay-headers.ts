import { limitHeaderNames } from '@headgate/dialects';
import type { FastifyInstance } from 'fastify';
import { inertContentHeaders } from '../../http/security-headers.ts';
import { rejectBrowserContent } from './browser-guard.ts';

/**
 * Headers of every relay response. Pages of any site may call the relay, but never with a cookie: only the token in
 * the request grants access.
 */
export const relayHeaders = {
  ...inertContentHeaders,
  'access-control-allow-origin': '*',
  'access-control-expose-headers': [
    ...['x-request-id', 'request-id', 'retry-after', 'x-should-retry', 'x-headgate-ignored'],
    ...limitHeaderNames,
  ].join(', '),
} as const;

const preflight = {
  'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
  // The wildcard does not cover Authorization.
  'access-control-allow-headers': 'Authorization, *',
  'access-control-max-age': '86400',
} as const;

/** Ollama endpoints, which share the /api prefix with the console API. */
const ollamaPaths = ['tags', 'chat', 'generate', 'show', 'embed', 'version'].map((name) => `/api/${name}`);

/** Allows pages of other sites on every route of this plugin, but rejects navigation and forms. */
export function allowCrossOrigin(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(relayHeaders);
    rejectBrowserContent(request.headers);
  });
  for (const path of ['/v1/*', '/v1beta/*', '/dashboard/*', ...ollamaPaths]) {
    app.options(path, { config: { isRelayed: true } }, (_request, reply) => reply.code(204).headers(preflight).send());
  }
}
