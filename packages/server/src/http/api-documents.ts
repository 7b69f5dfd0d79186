import swagger from '@fastify/swagger';
import { accessScopes } from '@headgate/contract';
import type { FastifyInstance } from 'fastify';
import { createJsonSchemaTransform } from 'fastify-type-provider-zod';
import { renderApiPage } from './api-page.ts';
import { responseHeaders, sharedSchemas } from './endpoint-documentation.ts';

type Transform = ReturnType<typeof createJsonSchemaTransform>;

/** Adds response headers, which the schema transform does not support. */
const withHeaders =
  (transform: Transform): Transform =>
  (document) => {
    const { schema, url } = transform(document);
    const { [responseHeaders]: headers, ...rest } = schema as Record<string, unknown>;
    if (!headers) return { schema: rest, url };
    const answers = Object.entries(rest['response'] as Record<string, object>);
    const of = headers as Record<string, object>;
    const response = Object.fromEntries(
      answers.map(([status, answer]) => [status, { ...answer, headers: of[status] }]),
    );
    return { schema: { ...rest, response }, url };
  };

/** Collects all routes mounted after it into `/api/openapi.json`, with an HTML version at `/api/docs`. */
export async function documentApi(app: FastifyInstance, version: string): Promise<void> {
  // Route schemas are for the document only; parsing and serialization happen in serveTable.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Headgate API',
        version,
        description:
          'What the console calls. Every reply is {success, message, data}, but for files. The security of a call names the scopes of access tokens that open it.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/' }],
      components: {
        schemas: sharedSchemas,
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: 'headgate_session' },
          accessToken: {
            type: 'apiKey',
            in: 'header',
            name: 'authorization',
            description: `With or without the word Bearer. The one access token without a name has the scope "all"; those with a name have the one they were made with: ${accessScopes.join(', ')}.`,
          },
        },
      },
    },
    transform: withHeaders(createJsonSchemaTransform({ skipList: [] })),
  });
  const options = { schema: { hide: true } } as const;
  app.get('/api/openapi.json', options, () => app.swagger());
  app.get('/api/docs', options, (_, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', "sandbox; default-src 'none'; style-src 'unsafe-inline'")
      .send(renderApiPage(app.swagger())),
  );
}
