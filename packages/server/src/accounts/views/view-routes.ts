import type { viewApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { ViewService } from './view-service.ts';

export const viewRoutes = (views: ViewService): Handlers<typeof viewApi> => ({
  list: ({ caller, query }) => views.of(caller.id, query.list),
  save: async ({ caller, body: { list, name, query } }) => {
    await views.save(caller.id, list, { name, query });
    return undefined;
  },
  remove: async ({ caller, query }) => {
    await views.remove(caller.id, query.list, query.name);
    return undefined;
  },
});
