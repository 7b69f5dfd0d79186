import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { RelayError } from '@headgate/relay';
import type { FastifyInstance } from 'fastify';

/** Pictures travel inside requests. The same limit holds before and after a body is inflated. */
export const largestBody = 64 * 1024 * 1024;

const inflateGzip = promisify(gunzip);

/** Bodies stay bytes, whatever they call themselves. */
export function acceptBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: largestBody }, (request, body, done) => {
    const encoding = request.headers['content-encoding'];
    if (encoding === undefined || encoding === 'identity') done(null, body);
    else inflate(encoding, body as Buffer).then((inflated) => done(null, inflated), done);
  });
}

export async function inflate(encoding: string, body: Buffer): Promise<Buffer> {
  if (!/^(x-)?gzip$/i.test(encoding)) throw refused(415, 'A body may be encoded by gzip only');
  try {
    return await inflateGzip(body, { maxOutputLength: largestBody });
  } catch (error) {
    const isTooLong = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLong ? refused(413, 'The body is too long') : refused(400, 'The body is not valid gzip');
  }
}

const refused = (status: number, message: string) => new RelayError(status, message, null, 'invalid_request_error');
