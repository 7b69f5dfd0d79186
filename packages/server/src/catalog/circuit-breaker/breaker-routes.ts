import type { circuitBreakerApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { CircuitBreakerService } from './circuit-breaker-service.ts';

export const breakerRoutes = (pauses: CircuitBreakerService): Handlers<typeof circuitBreakerApi> => ({
  list: ({ params }) => pauses.list(params.id),
  test: ({ params, body }) => pauses.test(params.id, body.model),
  end: async ({ caller, params, body }) => {
    await pauses.end(caller, params.id, body.model);
    return undefined;
  },
});
