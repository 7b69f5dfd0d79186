import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import staticFiles from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { answerUnknownApiPath } from './error-reply.ts';
import { contentSecurityPolicy } from './security-headers.ts';

/** Stands in the page where the nonce of each reply goes. */
const noncePlaceholder = '__CSP_NONCE__';

const isForPrograms = (path: string) => /^\/(api|v1|dashboard)(\/|\?|$)/.test(path);

/** Serves the built console: hashed files for ever, the page itself fresh, and the page for every unknown address. */
export async function serveConsole(app: FastifyInstance, consoleDir: string): Promise<void> {
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
  app.setNotFoundHandler((request, reply) => {
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !isForPrograms(request.url);
    if (!isPage || request.url.startsWith('/assets/')) return reply.code(404).send(answerUnknownApiPath(request));
    if (page === undefined)
      return reply.code(503).type('text/plain').send('The console is not built: run npm run build.');
    return sendPage(reply, page);
  });
}

function sendPage(reply: FastifyReply, page: string) {
  const nonce = randomBytes(16).toString('base64');
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-cache')
    .header('content-security-policy', contentSecurityPolicy(nonce))
    .send(page.replaceAll(noncePlaceholder, nonce));
}
