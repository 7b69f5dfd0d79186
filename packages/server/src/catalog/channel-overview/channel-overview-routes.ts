import type { channelOverviewApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { ChannelOverviewService } from './channel-overview-service.ts';

export const channelOverviewRoutes = (channels: ChannelOverviewService): Handlers<typeof channelOverviewApi> => ({
  overview: ({ params }) => channels.overview(params.id),
  traffic: ({ query }) => channels.traffic(query.ids),
});
