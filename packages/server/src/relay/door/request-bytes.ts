import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { BodyReader, ReceivedBody } from '../../http/bodies/body-reader.ts';
import type { TokenCaller } from '../callers/token-caller.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined where there is none, or where the relay did not read it. */
    receivedBody: ReceivedBody | undefined;
  }

  interface FastifyContextConfig {
    /** Whether the route parses its body as JSON: what would be slow to parse is then refused before. */
    readonly parsesJson?: boolean;
  }
}

/** Bodies stay bytes, whatever they call themselves. */
export function acceptBytes(
  app: FastifyInstance,
  bodies: BodyReader,
  callerOf: (request: FastifyRequest) => TokenCaller,
): void {
  app.decorateRequest('receivedBody', undefined);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async (request: FastifyRequest) => {
    const caller = callerOf(request);
    request.receivedBody = await bodies.read(request.raw, {
      // The body of a token with a list of models will be parsed, to see which it names.
      owner: caller.entry.user,
      isJson: caller.entry.models !== undefined || request.routeOptions.config.parsesJson === true,
      beforeLarge: () => caller.requireQuota(),
    });
    return request.receivedBody.bytes;
  });
  app.addHook('preHandler', async ({ receivedBody }, reply) => {
    if (!receivedBody) return;
    if (reply.raw.closed) receivedBody.release();
    else reply.raw.once('close', () => receivedBody.release());
  });
}
