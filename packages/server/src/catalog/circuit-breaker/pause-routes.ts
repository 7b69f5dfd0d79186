import type { channelPauseApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { CircuitBreakerService } from './circuit-breaker-service.ts';

export const pauseRoutes = (pauses: CircuitBreakerService): Handlers<typeof channelPauseApi> => ({
  list: ({ params }) => pauses.list(params.id),
  test: ({ params, body }) => pauses.test(params.id, body.model),
  end: async ({ caller, params, body }) => {
    await pauses.end(caller, params.id, body.model);
    return undefined;
  },
});
