import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { BodyReader, ReceivedBody } from '../../http/bodies/body-reader.ts';
import type { TokenCaller } from '../callers/token-caller.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined if there is no body or the relay did not read it. */
    receivedBody: ReceivedBody | undefined;
  }

  interface FastifyContextConfig {
    /** True if the route parses its body as JSON, so that bodies that are slow to parse are rejected first. */
    readonly parsesJson?: boolean;
  }
}

/** Keeps bodies as raw bytes, whatever their content type. */
export function acceptRawBodies(
  app: FastifyInstance,
  bodies: BodyReader,
  callerOf: (request: FastifyRequest) => TokenCaller,
): void {
  app.decorateRequest('receivedBody', undefined);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async (request: FastifyRequest) => {
    const caller = callerOf(request);
    request.receivedBody = await bodies.read(request.raw, {
      // For a token with a model list, the body is parsed to find its model.
      owner: caller.user,
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
