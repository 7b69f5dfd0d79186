import { openaiChat } from '@headgate/dialects';
import { RelayError } from '@headgate/relay';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { endpointHint } from '../../http/unknown-path.ts';

/** Path prefixes that are rejected together with all paths below them. */
const families = [
  'files',
  'fine_tuning/jobs',
  'assistants',
  'threads',
  'responses',
  'conversations',
  'batches',
  'vector_stores',
  'realtime',
  'videos',
  'evals',
  'containers',
] as const;

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const calls = ['/v1/edits', '/v1/images/variations'] as const;

/** Longest part of a path quoted in an error, in characters. */
const maxPathLength = 200;

/** Returns 501 for known but unsupported OpenAI endpoints to callers with a token, before a body is read. */
export function rejectUnsupported(app: FastifyInstance, admit: (request: FastifyRequest) => Promise<unknown>): void {
  const errorRoute = {
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      await admit(request);
      // Clients retry any 5xx unless this header forbids it.
      reply.header('x-should-retry', 'false');
      throw notImplemented(request);
    },
    handler: () => undefined,
  };
  for (const family of families) {
    for (const url of [`/v1/${family}`, `/v1/${family}/*`]) {
      // GET is left out because a WebSocket request to this path gets a different error.
      const rejected = url === '/v1/responses' ? methods.filter((method) => method !== 'GET') : methods;
      app.route({ ...errorRoute, method: [...rejected], url });
    }
  }
  for (const url of calls) app.route({ ...errorRoute, method: 'POST', url });
  app.route({ ...errorRoute, method: 'DELETE', url: '/v1/models/:id' });
}

/** Names the endpoint and lists the supported ones. */
export function notImplemented({ method, url }: FastifyRequest): RelayError {
  const path = url.split('?', 1)[0]?.slice(0, maxPathLength);
  const message = `API not implemented: ${method} ${path}. ${endpointHint(openaiChat)}`;
  return new RelayError(501, message, 'api_not_implemented');
}
