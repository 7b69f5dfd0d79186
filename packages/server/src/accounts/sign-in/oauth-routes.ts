import { linkedMessage, type oauthApi, type Parsed, type RedirectProviderName } from '@headgate/contract';
import type { Handlers, RequestSession } from '../../http/handlers.ts';
import type { UserRow } from '../../platform/db/rows.ts';
import type { SecondFactorService } from '../second-factor/second-factor-service.ts';
import { allowsProviderSignIn } from '../users/sign-in-methods.ts';
import type { BindingService } from './binding-service.ts';
import type { ProviderLoginService } from './provider-login-service.ts';

interface Services {
  readonly providerLogin: ProviderLoginService;
  readonly bindings: BindingService;
  readonly secondFactor: SecondFactorService;
}

interface ProviderReturn {
  readonly query: Parsed<typeof oauthApi.github>['query'];
  readonly caller: UserRow | undefined;
  readonly session: RequestSession;
}

export const oauthRoutes = ({ providerLogin, bindings, secondFactor }: Services): Handlers<typeof oauthApi> => {
  const finish =
    (provider: RedirectProviderName) =>
    async ({ query, caller, session }: ProviderReturn) => {
      const { code, state, aff_code: inviteCode } = query;
      const browser = session.browser();
      const isProved = caller !== undefined && (await session.isProved(caller));
      const user = await providerLogin.finish(provider, { code, state, inviteCode, caller, isProved, browser });
      return user ? secondFactor.admit(user, session) : { message: linkedMessage };
    };
  return {
    state: async ({ query, caller, session }) => {
      const browser = session.rememberBrowser();
      const isProved = caller !== undefined && (await session.isProved(caller));
      const { state, url } = await providerLogin.begin({ provider: query.provider, caller, isProved, browser });
      return { data: state, ...(url !== undefined && { url }) };
    },
    github: finish('github'),
    lark: finish('lark'),
    oidc: finish('oidc'),
    wechat: async ({ query, session }) => {
      const user = await providerLogin.byCode('wechat', query.code, query.aff_code);
      return secondFactor.admit(user, session);
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
    elsewhere: ({ caller }) => ({ isAllowed: allowsProviderSignIn(caller) }),
    allowElsewhere: async ({ body, caller }) => {
      await bindings.allowProviderSignIn(caller, body.isAllowed);
      return undefined;
    },
  };
};
