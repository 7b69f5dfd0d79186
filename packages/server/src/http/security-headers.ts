import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/** Where the bot check's widget and frame come from. */
const turnstile = 'https://challenges.cloudflare.com';

/** The release-information service that the update check reads. */
const releaseService = 'https://api.github.com';

/**
 * No inline script anywhere. Styles that the component library makes at run time carry the nonce of their page.
 * Pictures and frames may come from wherever the owner points them.
 */
export function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' ${turnstile}`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: https: http:",
    "font-src 'self'",
    `connect-src 'self' ${releaseService}`,
    `frame-src https: http:`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'self'",
  ].join('; ');
}

export async function addSecurityHeaders(app: FastifyInstance): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    crossOriginEmbedderPolicy: false,
    // The relay's answers are for programs on any site; the console's are guarded by cookies that do not travel.
    crossOriginResourcePolicy: false,
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'same-origin' },
  });
  app.addHook('onSend', async (request, reply) => {
    // Replies are somebody's own unless the code that made them says otherwise.
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=15552000');
  });
}
