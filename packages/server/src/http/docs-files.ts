import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import staticFiles from '@fastify/static';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';

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

/** Content security policy of the pages: all of them contain the same inline scripts, allowed by their hashes. */
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
    // Highlighted code carries its colours in style attributes.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
