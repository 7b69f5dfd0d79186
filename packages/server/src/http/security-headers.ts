import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/** Origin of the bot check's widget and frame. */
const turnstile = 'https://challenges.cloudflare.com';

/** The release service used by the update check. */
const releaseService = 'https://api.github.com';

/**
 * Headers for responses with untrusted data: browsers do not guess the type or run the content, and a document opened
 * from it has an opaque origin.
 */
export const inertContentHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'",
} as const;

/**
 * Content-Security-Policy of the console page. No inline scripts. Styles created by the component library at run time
 * carry the page's nonce. Images may come from anywhere. Frames may show only the given origins, never the console's
 * own.
 */
export function contentSecurityPolicy(nonce: string, frames: readonly string[]): string {
  return [
    "default-src 'self'",
    `script-src 'self' ${turnstile}`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: https: http:",
    "font-src 'self'",
    `connect-src 'self' ${releaseService}`,
    `frame-src ${[turnstile, ...frames].join(' ')}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export async function addSecurityHeaders(app: FastifyInstance): Promise<void> {
  await app.register(helmet, {
    // Set below.
    contentSecurityPolicy: false,
    xContentTypeOptions: false,
    crossOriginEmbedderPolicy: false,
    // Relay responses may be used on any site; console responses are protected by SameSite cookies.
    crossOriginResourcePolicy: false,
    xFrameOptions: { action: 'deny' },
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'same-origin' },
  });
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(inertContentHeaders);
  });
  app.addHook('onSend', async (request, reply) => {
    // Responses are private unless the handler sets another cache-control.
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=15552000');
  });
}
