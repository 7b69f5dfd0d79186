import { isStatusOnly, type redemptionApi, type redemptionBulkApi, type redemptionExportApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import { requestedFormat } from '../../records/exports/export-format.ts';
import type { ListExportService } from '../../records/exports/list-export-service.ts';
import type { RedemptionBulkService } from './redemption-bulk-service.ts';
import type { RedemptionService } from './redemption-service.ts';

export const redemptionRoutes = (redemptions: RedemptionService): Handlers<typeof redemptionApi> => ({
  list: ({ query }) => redemptions.page(query),
  search: ({ query }) => redemptions.page(query),
  counts: () => redemptions.counts(),
  get: ({ params }) => redemptions.get(params.id),
  create: ({ caller, body }) => redemptions.create(caller, body),
  update: ({ caller, query, body }) =>
    isStatusOnly(query) ? redemptions.updateStatus(caller, body) : redemptions.update(caller, body),
  remove: async ({ caller, params }) => {
    await redemptions.remove(caller, params.id);
    return undefined;
  },
});

export const redemptionBulkRoutes = (bulk: RedemptionBulkService): Handlers<typeof redemptionBulkApi> => ({
  run: ({ caller, client, body }) => bulk.run(caller, body, client.language),
  undo: ({ caller, client, body }) => bulk.undo(caller, body.undo, client.language),
});

export const redemptionExportRoutes = (lists: ListExportService): Handlers<typeof redemptionExportApi> => ({
  all: ({ caller, client, query }) =>
    lists.start(caller, { list: 'codes', chosen: { filter: query }, format: requestedFormat(query, client) }),
  chosen: ({ caller, client, body }) =>
    lists.start(caller, { list: 'codes', chosen: { ids: body.ids }, format: requestedFormat(body, client) }),
});
