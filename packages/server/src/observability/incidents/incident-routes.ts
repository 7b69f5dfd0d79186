import type { incidentApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { IncidentService } from './incident-service.ts';

export const incidentRoutes = (incidents: IncidentService): Handlers<typeof incidentApi> => ({
  list: ({ query }) => incidents.list(query),
  get: ({ params }) => incidents.get(params.id),
  add: ({ caller, body }) => incidents.add(caller, body),
  update: ({ caller, params, body }) => incidents.update(caller, params.id, body),
  addUpdate: ({ caller, params, body }) => incidents.addUpdate(caller, params.id, body),
  remove: async ({ caller, params }) => {
    await incidents.remove(caller, params.id);
    return undefined;
  },
});
