import type { ServerResponse } from 'node:http';

/** So long may somebody who is still sending take to notice the reply. */
const noticeMs = 500;
/** So much of the rest is taken off his hands meanwhile; more is left where it is. */
const mostDropped = 256 * 1024;

/**
 * Ends a reply whose request may not have come whole. A connection that is closed with bytes unread loses what was just
 * said on it, so the reply is out for a moment before the end.
 */
export function endBeforeBody(response: ServerResponse, reply: string): void {
  const { req: request } = response;
  if (request.complete || request.destroyed) {
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
