import { RelayError } from '@headgate/relay';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const families = [
  ...['/v1/files', '/v1/files/*'],
  ...['/v1/fine_tuning/jobs', '/v1/fine_tuning/jobs/*'],
  ...['/v1/assistants', '/v1/assistants/*'],
  ...['/v1/threads', '/v1/threads/*'],
] as const;

const calls = ['/v1/edits', '/v1/images/variations'] as const;

/** Parts of OpenAI's API that are known but not served: said so to whoever has a token, before a body is read. */
export function refuseUnserved(app: FastifyInstance, admit: (request: FastifyRequest) => Promise<unknown>): void {
  const refuse = {
    schema: { hide: true },
    onRequest: async (request: FastifyRequest) => {
      await admit(request);
      throw new RelayError(501, 'API not implemented', 'api_not_implemented');
    },
    handler: () => undefined,
  };
  for (const url of families) app.route({ ...refuse, method: ['GET', 'POST', 'DELETE'], url });
  for (const url of calls) app.route({ ...refuse, method: 'POST', url });
  app.route({ ...refuse, method: 'DELETE', url: '/v1/models/:id' });
}
