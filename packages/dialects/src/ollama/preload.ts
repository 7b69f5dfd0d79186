import type { ResponseEnvelope } from '../dialect.ts';
import { listAt } from '../upstream-fields.ts';
import { type LineShape, writePreloadResponse } from './line-writer.ts';

/** Matches a `keep_alive` of zero. */
const noTime = /^0+(?:\.0+)?(?:ns|us|µs|ms|s|m|h)?$/;

const isLetGo = (keepAlive: unknown): boolean =>
  keepAlive === 0 || (typeof keepAlive === 'string' && noTime.test(keepAlive));

/** Responds to an empty request, which clients send to load or unload a model. The gateway does nothing for it. */
export function preloadResponse(reply: ResponseEnvelope, shape: LineShape): string | undefined {
  const { body } = reply;
  if (!Array.isArray(body['messages']) || listAt(body, 'messages').length > 0) return undefined;
  return writePreloadResponse(reply, shape, isLetGo(body['keep_alive']) ? 'unload' : 'load');
}
