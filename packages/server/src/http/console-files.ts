import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import staticFiles from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { frameOrigins } from './frame-origins.ts';
import { contentSecurityPolicy } from './security-headers.ts';
import { isPageRequest, rejectUnknownPath } from './unknown-path.ts';

/** Placeholder in the page for the nonce of each response. */
const noncePlaceholder = '__CSP_NONCE__';

/** Serves the built console: hashed files with permanent caching, and the page itself uncached at all console paths. */
export async function serveConsole(
  app: FastifyInstance,
  consoleDir: string,
  /** Texts from the settings whose URLs the console may show in a frame. */
  framed: () => readonly string[],
): Promise<void> {
  const pageFile = join(consoleDir, 'index.html');
  const page = existsSync(pageFile) ? readFileSync(pageFile, 'utf8') : undefined;
  if (page !== undefined) {
    await app.register(staticFiles, {
      root: consoleDir,
      wildcard: false,
      index: false,
      preCompressed: true,
      globIgnore: ['**/*.br', '**/*.gz', 'index.html'],
      cacheControl: false,
      setHeaders(reply, path) {
        const isHashed = path.includes(join(consoleDir, 'assets'));
        reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  }
  // Runs before the body is read, which may be invalid or too long for an unknown path.
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404 && !isPageRequest(request)) return reject(request, reply);
  });
  app.setNotFoundHandler((request, reply) => {
    if (!isPageRequest(request)) return reject(request, reply);
    if (page === undefined)
      return reply.code(503).type('text/plain').send('The console is not built. Run npm run build.');
    return sendPage(reply, page, frameOrigins(framed(), request.host));
  });
}

function reject(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // The unread rest of the body would be parsed as the next request.
  if (!request.raw.complete) reply.header('connection', 'close');
  return rejectUnknownPath(request, reply);
}

function sendPage(reply: FastifyReply, page: string, frames: readonly string[]) {
  const nonce = randomBytes(16).toString('base64');
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-cache')
    .header('content-security-policy', contentSecurityPolicy(nonce, frames))
    .send(page.replaceAll(noncePlaceholder, nonce));
}
