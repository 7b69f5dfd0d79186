import type { Reply } from '../dialect.ts';
import { listAt } from '../upstream-fields.ts';
import { type Shape, writeReadiness } from './line-writer.ts';

/** How long a model stays in memory when it does not stay at all. */
const noTime = /^0+(?:\.0+)?(?:ns|us|µs|ms|s|m|h)?$/;

const isLetGo = (keepAlive: unknown): boolean =>
  keepAlive === 0 || (typeof keepAlive === 'string' && noTime.test(keepAlive));

/** Clients ask nothing so that the model is in memory when they do, or to have it taken out. Here there is nothing to do for that. */
export function readinessReply(reply: Reply, shape: Shape): string | undefined {
  const { body } = reply;
  if (!Array.isArray(body['messages']) || listAt(body, 'messages').length > 0) return undefined;
  return writeReadiness(reply, shape, isLetGo(body['keep_alive']) ? 'unload' : 'load');
}
