import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { createJsonSchemaTransform } from 'fastify-type-provider-zod';
import { renderApiPage } from './api-page.ts';

/** Collects every route mounted after it into `/api/openapi.json`, readable at `/api/docs`. */
export async function documentApi(app: FastifyInstance, version: string): Promise<void> {
  // Routes carry zod schemas for the document only; parsing and serialising are done by the table's own code.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Headgate API',
        version,
        description: 'What the console calls. Every reply is {success, message, data}.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: 'headgate_session' },
          accessToken: { type: 'apiKey', in: 'header', name: 'authorization' },
        },
      },
    },
    transform: createJsonSchemaTransform({ skipList: [] }),
  });
  const options = { schema: { hide: true } } as const;
  app.get('/api/openapi.json', options, () => app.swagger());
  app.get('/api/docs', options, (_, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      .send(renderApiPage(app.swagger())),
  );
}
