import { boundMessage, type oauthApi, type Parsed, type RedirectProviderName } from '@headgate/contract';
import type { Handlers, RequestSession } from '../http/handlers.ts';
import type { UserRow } from '../users/user-service.ts';
import type { BindingService } from './binding-service.ts';
import type { ProviderLoginService } from './provider-login-service.ts';

interface Services {
  readonly providerLogin: ProviderLoginService;
  readonly bindings: BindingService;
}

interface Coming {
  readonly query: Parsed<typeof oauthApi.github>['query'];
  readonly caller: UserRow | undefined;
  readonly session: RequestSession;
}

export const oauthRoutes = ({ providerLogin, bindings }: Services): Handlers<typeof oauthApi> => {
  const finish =
    (provider: RedirectProviderName) =>
    async ({ query, caller, session }: Coming) => {
      const { code, state, aff_code: inviteCode } = query;
      const browser = session.browser();
      const user = await providerLogin.finish(provider, { code, state, inviteCode, caller, browser });
      if (!user) return { message: boundMessage };
      await session.start(user.id);
      return { message: '', data: user };
    };
  return {
    state: async ({ query, caller, session }) => {
      const browser = session.browser() ?? session.rememberBrowser();
      const { state, url } = await providerLogin.begin({ provider: query.provider, caller, browser });
      return { data: state, ...(url !== undefined && { url }) };
    },
    github: finish('github'),
    lark: finish('lark'),
    oidc: finish('oidc'),
    wechat: async ({ query, session }) => {
      const user = await providerLogin.byCode('wechat', query.code, query.aff_code);
      await session.start(user.id);
      return { message: '', data: user };
    },
    bindWechat: async ({ query, caller }) => {
      await providerLogin.bindByCode('wechat', query.code, caller);
      return undefined;
    },
    bindEmail: async ({ query, caller }) => {
      await bindings.bindEmail(caller, query.email, query.code);
      return undefined;
    },
    unbind: async ({ params, caller }) => {
      await bindings.unbind(caller, params.binding);
      return undefined;
    },
  };
};
