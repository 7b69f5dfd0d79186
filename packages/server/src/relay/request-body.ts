import type { IncomingMessage } from 'node:http';
import { RelayError } from '@headgate/relay';
import { inflate, largestBody } from './request-bytes.ts';

/** Reads a body past the framework, up to the limit, inflated when it says it is compressed. */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > largestBody) return Promise.reject(tooLong());
  const bytes = collectBody(request);
  const encoding = request.headers['content-encoding'];
  return encoding === undefined || encoding === 'identity' ? bytes : bytes.then((read) => inflate(encoding, read));
}

function collectBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > largestBody) reject(tooLong());
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length)));
    request.on('error', () => reject(new RelayError(400, 'The body broke off', null, 'invalid_request_error')));
  });
}

const tooLong = () => new RelayError(413, 'The body is too long', null, 'invalid_request_error');
