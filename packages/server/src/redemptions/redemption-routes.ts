import { isStatusOnly, type redemptionApi, type redemptionBulkApi } from '@headgate/contract';
import type { Handlers } from '../http/handlers.ts';
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
