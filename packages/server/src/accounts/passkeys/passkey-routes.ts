import type { passkeyApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { PasskeyService } from './passkey-service.ts';

interface Services {
  readonly passkeys: PasskeyService;
}

export const passkeyRoutes = ({ passkeys }: Services): Handlers<typeof passkeyApi> => ({
  list: ({ caller }) => passkeys.list(caller),
  begin: ({ caller, session }) => passkeys.begin(caller, session.rememberBrowser()),
  create: async ({ caller, body, session }) => {
    const { ticket, response, name } = body;
    await passkeys.create(caller, name, { ticket, response, browser: session.browser() });
    return undefined;
  },
  remove: async ({ caller, params }) => {
    await passkeys.remove(caller, params.passkey);
    return undefined;
  },
  beginLogin: ({ session }) => passkeys.beginLogin(session.rememberBrowser()),
  login: async ({ body, session }) => {
    const user = await passkeys.login({ ...body, browser: session.browser() });
    await session.start(user.id);
    return user;
  },
});
