import type { OptionService } from '../../platform/options/option-service.ts';
import type { PublicUrl } from '../../platform/options/public-url.ts';
import { stringField } from '../../platform/outgoing/request-json.ts';
import { OidcClient, type OidcRegistration } from './oidc-client.ts';
import type { LoginProvider } from './provider.ts';

/** The OpenID Connect provider of the gateway. */
export function oidc(options: OptionService, home: PublicUrl): LoginProvider {
  const client = new OidcClient();
  const registration = (): OidcRegistration => ({
    address: options.values.OidcWellKnown,
    client: { id: options.values.OidcClientId, secret: options.values.OidcClientSecret },
    scope: 'openid profile',
    redirectUri: `${home.require('signInAddressNeeded')}/oauth/oidc`,
  });
  return {
    isOn: ({ OidcEnabled, OidcClientId, OidcWellKnown }) => OidcEnabled && OidcClientId !== '' && OidcWellKnown !== '',
    page: (attempt) => client.page(registration(), attempt),
    identify: async (code, attempt) => {
      const { sub, issuer, userInfo } = await client.account(registration(), code, attempt);
      return {
        id: sub,
        login: stringField(userInfo, 'preferred_username'),
        name: stringField(userInfo, 'name'),
        issuer,
      };
    },
  };
}
