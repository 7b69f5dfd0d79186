import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { BodyReader } from '../bodies/body-reader.ts';

/** A form, or a list of some hundred rows: nothing of the API needs more. */
const largestBytes = 1_048_576;

/** Reads what the API is told; whose it is, is not known yet, so that all of it counts together. */
export function readBodies(app: FastifyInstance, bodies: BodyReader): void {
  const owner = { bodyBytes: 0 };
  const textOf = async (request: FastifyRequest) => {
    const body = await bodies.read(request.raw, { owner, largest: largestBytes, isJson: true });
    body.release();
    return body.bytes.toString('utf8');
  };
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('text/plain', textOf);
  app.addContentTypeParser('application/json', (request, _, done) => {
    textOf(request).then((text) => parse(request, text, done), done);
  });
}
