import type { registrationApi } from '@headgate/contract';
import type { Client, Handlers } from '../../http/handlers.ts';
import type { EmailCodeService } from './email-code-service.ts';
import type { PasswordResetService } from './password-reset-service.ts';
import type { RegistrationService } from './registration-service.ts';

interface Services {
  readonly registration: RegistrationService;
  readonly emailCodes: EmailCodeService;
  readonly passwordReset: PasswordResetService;
}

const visitorOf = ({ address }: Client, turnstile = '') => ({ address, botCheckToken: turnstile });

export const registrationRoutes = (services: Services): Handlers<typeof registrationApi> => ({
  register: async ({ query, body, client }) => {
    await services.registration.register(body, visitorOf(client, query.turnstile));
    return undefined;
  },
  sendCode: async ({ query, client }) => {
    await services.emailCodes.send(query.email, visitorOf(client, query.turnstile), client.language);
    return undefined;
  },
  requestReset: async ({ query, client }) => {
    await services.passwordReset.request(query.email, visitorOf(client, query.turnstile), client.language);
    return undefined;
  },
  reset: ({ body }) => services.passwordReset.reset(body.email, body.token),
});
