import { isStatusOnly, type redemptionApi } from '@headgate/contract';
import type { Handlers } from '../http/handlers.ts';
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
