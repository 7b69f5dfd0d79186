import type { channelApi, channelBulkApi, channelExportApi, channelPreviewApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import { requestedFormat } from '../../records/exports/export-format.ts';
import type { ListExportService } from '../../records/exports/list-export-service.ts';
import { knownModels } from '../models/known-models.ts';
import type { ChannelBulkService } from './channel-bulk-service.ts';
import type { ChannelPreviewService } from './channel-preview-service.ts';
import type { ChannelService } from './channel-service.ts';
import type { ChannelTestService } from './channel-test-service.ts';
import type { ChannelUpstreamService } from './channel-upstream-service.ts';

interface ChannelRoutesDependencies {
  readonly channels: ChannelService;
  readonly tests: ChannelTestService;
  readonly upstream: ChannelUpstreamService;
}

export const channelRoutes = ({
  channels,
  tests,
  upstream,
}: ChannelRoutesDependencies): Handlers<typeof channelApi> => ({
  list: ({ query }) => channels.page(query),
  search: ({ query }) => channels.page(query),
  counts: () => channels.counts(),
  tags: () => channels.tags(),
  models: () => knownModels,
  get: ({ params }) => channels.find(params.id),
  create: async ({ caller, body }) => {
    const [id = 0, ...more] = await channels.create(caller, body);
    return { id, ids: [id, ...more] };
  },
  update: ({ caller, body }) => channels.update(caller, body),
  removeDisabled: ({ caller }) => channels.removeDisabled(caller),
  remove: async ({ caller, params }) => {
    await channels.remove(caller, params.id);
    return undefined;
  },
  testAll: async ({ query }) => {
    await tests.testAll(query.scope);
    return undefined;
  },
  testProgress: () => tests.progress,
  testResults: () => [...tests.results],
  testChosen: async ({ body }) => {
    await tests.testChosen(body.ids);
    return undefined;
  },
  test: ({ params, query }) => tests.test(params.id, query.model),
  updateBalance: ({ params }) => upstream.updateBalance(params.id),
  upstreamModels: async ({ params }) => [...(await upstream.modelsOf(params.id))],
  upstreamModelsWith: async ({ body }) => [...(await upstream.modelsWith(body))],
});

export const channelPreviewRoutes = (previews: ChannelPreviewService): Handlers<typeof channelPreviewApi> => ({
  show: ({ params, body }) => previews.show(params.id, body),
});

export const channelBulkRoutes = (bulk: ChannelBulkService): Handlers<typeof channelBulkApi> => ({
  run: ({ caller, client, body }) => bulk.run(caller, body, client.language),
  undo: ({ caller, client, body }) => bulk.undo(caller, body.undo, client.language),
});

export const channelExportRoutes = (
  lists: ListExportService,
  channels: ChannelService,
): Handlers<typeof channelExportApi> => ({
  all: async ({ caller, client, query }) =>
    lists.start(caller, {
      list: 'channels',
      chosen: await channels.exported(query),
      format: requestedFormat(query, client),
    }),
  chosen: ({ caller, client, body }) =>
    lists.start(caller, { list: 'channels', chosen: { ids: body.ids }, format: requestedFormat(body, client) }),
});
