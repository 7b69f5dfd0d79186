import type { FastifyInstance } from 'fastify';
import { renderApiPage } from './api-page.ts';
import { apiDocument } from './openapi/document.ts';

/** Serves the OpenAPI document at `/api/openapi.json` and a readable page at `/api/docs`. Both are built on first use. */
export function serveApiDocuments(app: FastifyInstance, version: string): void {
  let document: string | undefined;
  let page: string | undefined;
  app.get('/api/openapi.json', (_, reply) => {
    document ??= JSON.stringify(apiDocument(version));
    return reply.type('application/json; charset=utf-8').send(document);
  });
  app.get('/api/docs', (_, reply) => {
    page ??= renderApiPage(apiDocument(version));
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', "sandbox; default-src 'none'; style-src 'unsafe-inline'")
      .send(page);
  });
}
