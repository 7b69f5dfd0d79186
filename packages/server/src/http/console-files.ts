import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import staticFiles from '@fastify/static';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { contentSecurityPolicy } from './security-headers.ts';
import { isPageRequest, rejectUnknownPath } from './unknown-path.ts';

/** Placeholder in the page for the nonce of each response. */
const noncePlaceholder = '__CSP_NONCE__';

/** Serves the built console: hashed files with permanent caching, and the uncached page at all console paths. */
export async function serveConsole(
  app: FastifyInstance,
  consoleDir: string,
  /** Settings whose URLs the console may show in a frame. */
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
  // Runs before the body is read, because for an unknown path the body may be invalid or too long.
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

const address = /^https?:\/\/\S+$/i;

/** Allows only plain host names: an asterisk in a policy would match any host. */
const plainOrigin = /^https?:\/\/[a-z0-9.-]+(?::\d+)?$/;

/** Origins of the texts that are URLs, without the host of the console, which must not be framed. */
export function frameOrigins(texts: readonly string[], ownHost: string): readonly string[] {
  const origins = texts.flatMap((text) => {
    const trimmed = text.trim();
    if (!address.test(trimmed) || !URL.canParse(trimmed)) return [];
    const { origin, host } = new URL(trimmed);
    return plainOrigin.test(origin) && host !== ownHost.toLowerCase() ? [origin] : [];
  });
  return [...new Set(origins)];
}

/** Serves the built documentation under `/docs`. Every package has it; a checkout builds it with `npm run site`. */
export async function serveDocs(app: FastifyInstance, docsDir: string): Promise<void> {
  const indexFile = join(docsDir, 'index.html');
  if (!existsSync(indexFile)) {
    app.get('/docs', (_, reply) =>
      reply.code(503).type('text/plain').send('The documentation is not built: run npm run site.'),
    );
    return;
  }
  const policy = docsPolicy(readFileSync(indexFile, 'utf8'));
  app.get('/docs', (_, reply) => reply.redirect('/docs/index.html'));
  const notFoundPage = readFileSync(join(docsDir, '404.html'), 'utf8');
  const pages: FastifyPluginAsync = async (docs) => {
    docs.setNotFoundHandler((_, reply) =>
      reply.code(404).type('text/html; charset=utf-8').header('content-security-policy', policy).send(notFoundPage),
    );
    await docs.register(staticFiles, {
      root: docsDir,
      decorateReply: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders(reply, path) {
        const isHashed = path.includes(`${sep}assets${sep}`);
        reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
        if (path.includes('.html')) reply.header('content-security-policy', policy);
      },
    });
  };
  await app.register(pages, { prefix: '/docs' });
}

/** Content security policy of the pages. All of them contain the same inline scripts, allowed by hash. */
function docsPolicy(page: string): string {
  const scripts = page
    .split('<script')
    .slice(1)
    .map((part) => part.split('</script>', 1)[0] ?? '');
  const inline = scripts
    .map((script) => ({ tag: script.slice(0, script.indexOf('>')), text: script.slice(script.indexOf('>') + 1) }))
    .filter(({ tag }) => !tag.includes(' src='));
  const hashes = inline.map(({ text }) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  return [
    "default-src 'self'",
    ["script-src 'self'", ...hashes].join(' '),
    // Highlighted code has its colors in style attributes.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
