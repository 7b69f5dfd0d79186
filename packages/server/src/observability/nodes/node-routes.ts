import type { nodeApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { NodeService } from './node-service.ts';

export const nodeRoutes = (nodes: NodeService): Handlers<typeof nodeApi> => ({
  list: () => nodes.list(),
});
