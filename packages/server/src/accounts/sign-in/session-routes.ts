import type { sessionApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { SecondFactorService } from '../second-factor/second-factor-service.ts';
import type { SessionService } from '../sessions/session-service.ts';
import type { LoginService } from './login-service.ts';
import type { ReauthService } from './reauth-service.ts';

interface Services {
  readonly login: LoginService;
  readonly secondFactor: SecondFactorService;
  readonly sessions: SessionService;
  readonly proofs: ReauthService;
}

export const sessionRoutes = ({ login, secondFactor, sessions, proofs }: Services): Handlers<typeof sessionApi> => ({
  login: async ({ body, client, session }) => {
    const knownDevice = (userId: number) => session.knownDevice(userId);
    const user = await login.byPassword(body, { ...client, knownDevice, botCheckToken: body.turnstile ?? '' });
    return secondFactor.admit(user, session);
  },
  list: ({ caller, session }) => sessions.list(caller.id, session.id),
  end: async ({ caller, params }) => {
    if (!(await sessions.endNamed(caller.id, params.session))) throw new ApiError('notFound');
    return undefined;
  },
  proof: ({ caller, session }) => proofs.state(caller, session.id),
  prove: async ({ caller, body, client, session }) => {
    await proofs.prove(caller, body.proof, { session: session.id, address: client.address });
    return undefined;
  },
  logout: async ({ session }) => {
    await session.end();
    return undefined;
  },
});
