import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long a client that is still sending may take to notice the reply. */
const noticeMs = 500;
/** How many bytes of the rest are read and dropped meanwhile; more is left unread. */
const mostDropped = 256 * 1024;

/** A rest this short is read to its end, so that the connection can be used again. */
const littleBytes = 64 * 1024;
const cameTooSlowly = 408;

/** Whether the connection of a request that is answered before its body was read can carry another one. */
export function isReusable({ complete, headers }: IncomingMessage, status: number): boolean {
  return complete || (status !== cameTooSlowly && Number(headers['content-length'] ?? Number.NaN) <= littleBytes);
}

/**
 * Ends a reply whose request may not have come whole. A connection that is closed with bytes unread loses what was just
 * said on it, so the reply is out for a moment before the end.
 */
export function endBeforeBody(response: ServerResponse, reply: string): void {
  const { req: request } = response;
  if (request.destroyed || isReusable(request, response.statusCode)) {
    response.end(reply);
    return;
  }
  response.write(reply);
  const end = () => {
    clearTimeout(timer);
    try {
      response.end();
    } catch {
      // Out of a listener it would end the process.
      response.destroy();
    }
  };
  const timer = setTimeout(end, noticeMs);
  let dropped = 0;
  request.on('data', (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > mostDropped) request.pause();
  });
  request.once('end', end);
  request.once('close', end);
  request.resume();
}
