import type { registrationApi } from '@headgate/contract';
import type { Handlers } from '../http/handlers.ts';
import type { RegistrationService } from './registration-service.ts';

export const registrationRoutes = (registration: RegistrationService): Handlers<typeof registrationApi> => ({
  register: async ({ query, body, client }) => {
    await registration.register(body, { address: client.address, botCheckToken: query.turnstile ?? '' });
    return undefined;
  },
});
