import type { logExportApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { LogDestinationService } from './log-destination-service.ts';

export const logExportRoutes = (exports: LogDestinationService): Handlers<typeof logExportApi> => ({
  list: () => exports.list(),
  get: ({ params }) => exports.get(params.id),
  add: ({ caller, body }) => exports.add(caller, body),
  update: ({ caller, params, body }) => exports.update(caller, params.id, body),
  remove: async ({ caller, params }) => {
    await exports.remove(caller, params.id);
    return undefined;
  },
  test: ({ params }) => exports.test(params.id),
});
