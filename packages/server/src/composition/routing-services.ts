import type { UpstreamServices } from '@headgate/relay';
import { RoutingRepository } from '../catalog/routing/routing-repository.ts';
import { RoutingService } from '../catalog/routing/routing-service.ts';
import { explainRouting } from '../relay/routing/explain-routing.ts';
import { RoutingTable } from '../relay/routing/routing-table.ts';
import type { ChannelTable } from '../relay/upstreams/channel-table.ts';
import type { AppContext } from './app-dependencies.ts';
import type { CoreServices } from './core-services.ts';

interface Neighbours {
  readonly channels: ChannelTable;
  readonly upstreamServices: UpstreamServices;
}

/** How channels are chosen: as admins set it, as the relay goes by it, and in words. */
export async function makeRoutingServices(
  { database }: AppContext,
  { options, logs, inTransaction, managed }: CoreServices,
  { channels, upstreamServices }: Neighbours,
) {
  const routing = new RoutingService({ routing: new RoutingRepository(database), logs, inTransaction, managed });
  const routingTable = new RoutingTable(routing);
  await routingTable.load();
  const explaining = { channels, routing: routingTable, upstreamServices, options };
  return {
    routing,
    routingTable,
    explainRouting: (asked: Parameters<typeof explainRouting>[1]) => explainRouting(explaining, asked),
  };
}
