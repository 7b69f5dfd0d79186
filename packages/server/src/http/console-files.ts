import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import staticFiles from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { frameOrigins } from './frame-origins.ts';
import { contentSecurityPolicy } from './security-headers.ts';
import { isForPeople, refuseUnknownPath } from './unknown-path.ts';

/** Stands in the page where the nonce of each reply goes. */
const noncePlaceholder = '__CSP_NONCE__';

/** Serves the built console: hashed files for ever, the page itself fresh, also at addresses only the console knows. */
export async function serveConsole(
  app: FastifyInstance,
  consoleDir: string,
  /** Texts of the owner that the console may show as a frame. */
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
  // Before a body is read that nobody asked for, which may be no JSON or too long for what it is.
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404 && !isForPeople(request)) return refuse(request, reply);
  });
  app.setNotFoundHandler((request, reply) => {
    if (!isForPeople(request)) return refuse(request, reply);
    if (page === undefined)
      return reply.code(503).type('text/plain').send('The console is not built: run npm run build.');
    return sendPage(reply, page, frameOrigins(framed(), request.host));
  });
}

function refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // The rest of a body that nobody will read would be taken for the next request.
  if (!request.raw.complete) reply.header('connection', 'close');
  return refuseUnknownPath(request, reply);
}

function sendPage(reply: FastifyReply, page: string, frames: readonly string[]) {
  const nonce = randomBytes(16).toString('base64');
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-cache')
    .header('content-security-policy', contentSecurityPolicy(nonce, frames))
    .send(page.replaceAll(noncePlaceholder, nonce));
}
