import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long a client that is still sending may take to notice the response. */
const noticeMs = 500;
/** Maximum number of remaining bytes to read and discard; the rest stays unread. */
const maxDroppedBytes = 256 * 1024;

/** A remainder up to this size is read, so that the connection can be reused. */
const littleBytes = 64 * 1024;
const requestTimeout = 408;

/** True if the connection can be reused although the body was not read before the response. */
export function isConnectionReusable({ complete, headers }: IncomingMessage, status: number): boolean {
  return complete || (status !== requestTimeout && Number(headers['content-length'] ?? Number.NaN) <= littleBytes);
}

/**
 * Sends a response to a request whose body may be incomplete. Closing a connection with unread bytes can discard the
 * response, so the close is delayed.
 */
export function respondBeforeBody(response: ServerResponse, reply: string): void {
  const { req: request } = response;
  if (request.destroyed || isConnectionReusable(request, response.statusCode)) {
    response.end(reply);
    return;
  }
  response.write(reply);
  const end = () => {
    clearTimeout(timer);
    try {
      response.end();
    } catch {
      // An exception in a listener would end the process.
      response.destroy();
    }
  };
  const timer = setTimeout(end, noticeMs);
  let dropped = 0;
  request.on('data', (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > maxDroppedBytes) request.pause();
  });
  request.once('end', end);
  request.once('close', end);
  request.resume();
}
