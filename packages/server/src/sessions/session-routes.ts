import type { sessionApi } from '@headgate/contract';
import type { Handlers } from '../http/handlers.ts';
import type { LoginService } from './login-service.ts';

export const sessionRoutes = (login: LoginService): Handlers<typeof sessionApi> => ({
  login: async ({ body, client, session }) => {
    const user = await login.byPassword(body, { ...client, botCheckToken: body.turnstile ?? '' });
    await session.start(user.id);
    return user;
  },
  logout: async ({ session }) => {
    await session.end();
    return undefined;
  },
});
