import type { sessionApi } from '@headgate/contract';
import type { Handlers } from '../http/handlers.ts';
import { Refusal } from '../refusal.ts';
import type { SecondFactorService } from '../second-factor/second-factor-service.ts';
import type { LoginService } from './login-service.ts';
import type { SessionService } from './session-service.ts';

interface Services {
  readonly login: LoginService;
  readonly secondFactor: SecondFactorService;
  readonly sessions: SessionService;
}

export const sessionRoutes = ({ login, secondFactor, sessions }: Services): Handlers<typeof sessionApi> => ({
  login: async ({ body, client, session }) => {
    const user = await login.byPassword(body, { ...client, botCheckToken: body.turnstile ?? '' });
    return secondFactor.admit(user, session);
  },
  list: ({ caller, session }) => sessions.list(caller.id, session.id),
  end: async ({ caller, params }) => {
    if (!(await sessions.endNamed(caller.id, params.session))) throw new Refusal('notFound');
    return undefined;
  },
  logout: async ({ session }) => {
    await session.end();
    return undefined;
  },
});
