import { hostname } from 'node:os';
import type { Platform } from '../../platform/create-platform.ts';
import type { ServerIdentity } from '../status/server-identity.ts';
import { NodeRepository } from './node-repository.ts';
import { NodeService } from './node-service.ts';

interface JoiningNode {
  readonly platform: Platform;
  readonly identity: ServerIdentity;
  /** Name from the environment; the host name by default. */
  readonly nodeName: string | undefined;
  /** Settings that only change with a restart, shown in the console. */
  readonly settings: Readonly<Record<string, string>>;
}

const maxNodeNameLength = 64;

/**
 * Must be called after subscribing to changes and before reading anything that may change: from then on the other nodes
 * wait for this one to confirm their changes.
 */
export async function joinNodes({ platform, identity, nodeName, settings }: JoiningNode): Promise<NodeService> {
  const { databaseUrl, database, feed, logger } = platform;
  const nodes = await NodeService.join({
    nodes: databaseUrl === undefined ? undefined : new NodeRepository(database),
    facts: {
      id: feed.id,
      name: (nodeName ?? hostname()).slice(0, maxNodeNameLength),
      version: identity.version,
      startedTime: identity.startTime,
      settings,
    },
    onOthers: (hasOthers) => feed.setHasOthers(hasOthers),
    onFailure: (error) => logger.warn({ err: error }, 'failed to write the heartbeat of this node'),
  });
  // The other nodes are notified immediately that this one is listening.
  feed.broadcasts.send('hello', nodes.name);
  return nodes;
}
