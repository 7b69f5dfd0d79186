import { linkedMessage, type organizationSsoApi, type ssoSignInApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { SecondFactorService } from '../second-factor/second-factor-service.ts';
import type { SsoDomainService } from './sso-domain-service.ts';
import type { SsoProviderService } from './sso-provider-service.ts';
import type { SsoSignInService } from './sso-sign-in-service.ts';

interface SsoRoutesDependencies {
  readonly ssoProviders: SsoProviderService;
  readonly ssoDomains: SsoDomainService;
}

export const organizationSsoRoutes = ({
  ssoProviders,
  ssoDomains,
}: SsoRoutesDependencies): Handlers<typeof organizationSsoApi> => ({
  settings: ({ caller, params }) => ssoProviders.settings(caller, params.id),
  updateSettings: async ({ caller, params, body }) => {
    await ssoProviders.setRequired(caller, params.id, body.is_required);
    return undefined;
  },
  providers: ({ caller, params }) => ssoProviders.list(caller, params.id),
  createProvider: ({ caller, params, body }) => ssoProviders.create(caller, params.id, body),
  updateProvider: ({ caller, params, body }) => ssoProviders.update(caller, params.id, body),
  removeProvider: async ({ caller, params }) => {
    await ssoProviders.remove(caller, params.id, params.sso_provider);
    return undefined;
  },
  domains: ({ caller, params }) => ssoDomains.list(caller, params.id),
  addDomain: ({ caller, params, body }) => ssoDomains.add(caller, params.id, body.domain),
  verifyDomain: ({ caller, params }) => ssoDomains.verify(caller, params.id, params.sso_domain),
  confirmDomain: ({ caller, params }) => ssoDomains.confirm(caller, params.id, params.sso_domain),
  removeDomain: async ({ caller, params }) => {
    await ssoDomains.remove(caller, params.id, params.sso_domain);
    return undefined;
  },
});

interface SignInRoutesDependencies {
  readonly ssoSignIn: SsoSignInService;
  readonly secondFactor: SecondFactorService;
}

export const ssoSignInRoutes = ({
  ssoSignIn,
  secondFactor,
}: SignInRoutesDependencies): Handlers<typeof ssoSignInApi> => ({
  discover: ({ query }) => ssoSignIn.discover(query),
  provider: ({ params }) => ssoSignIn.provider(params.id),
  begin: async ({ params, body: { link }, caller, session }) => {
    if (link && !caller) throw new ApiError('notSignedIn');
    if (link && caller) await session.requireProof(caller);
    return { url: await ssoSignIn.begin(params.id, { caller, link, browser: session.rememberBrowser() }) };
  },
  finish: async ({ params, query: { code, state, iss }, caller, session }) => {
    const browser = session.browser();
    const user = await ssoSignIn.finish(params.id, { code, state, iss, caller, browser });
    return user ? secondFactor.admit(user, session) : { message: linkedMessage };
  },
  own: ({ caller }) => ssoSignIn.own(caller),
  unlink: async ({ caller, params }) => {
    await ssoSignIn.unlink(caller, params.id);
    return undefined;
  },
});
