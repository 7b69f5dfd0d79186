import type { Socket } from 'node:net';
import { inertContentHeaders } from './security-headers.ts';

interface ParserError extends Error {
  readonly code?: string | undefined;
}

const statuses: Readonly<Record<string, readonly [status: number, reason: string, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request took too long to arrive'],
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'The request headers are too large'],
};

/** Responds to bytes that are not an HTTP request, for which Node provides no response object. */
export function respondToMalformedRequest(error: ParserError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const [status, reason, message] = statuses[error.code ?? ''] ?? [400, 'Bad Request', 'The request is malformed'];
  const body = JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code: null } });
  const headers = {
    connection: 'close',
    'content-length': String(Buffer.byteLength(body)),
    'content-type': 'application/json',
    ...inertContentHeaders,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  if (socket.writable) socket.write([`HTTP/1.1 ${status} ${reason}`, ...lines, '', body].join('\r\n'));
  socket.destroy(error);
}
