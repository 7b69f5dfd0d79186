import type { OptionService } from '../../platform/options/option-service.ts';
import type { PublicUrl } from '../../platform/options/public-url.ts';
import { stringField } from '../../platform/outgoing/json-response.ts';
import { effectiveProviderUrls, type ProviderUrls } from '../../platform/outgoing/provider-urls.ts';
import { requestJson } from '../../platform/outgoing/request-json.ts';
import { type LoginProvider, readAccessToken, readUserFields, requiredText } from './provider.ts';

export function lark(options: OptionService, home: PublicUrl, urls: ProviderUrls): LoginProvider {
  const { page, token, user } = effectiveProviderUrls('lark', urls);
  const redirectUri = () => `${home.require('signInAddressNeeded')}/oauth/lark`;
  return {
    isOn: ({ LarkClientId, LarkClientSecret }) => LarkClientId !== '' && LarkClientSecret !== '',
    page: async ({ state }) => {
      const client_id = options.values.LarkClientId;
      const redirect_uri = redirectUri();
      return `${page}?${new URLSearchParams({ client_id, redirect_uri, response_type: 'code', state })}`;
    },
    identify: async (code) => {
      const { LarkClientId: client_id, LarkClientSecret: client_secret } = options.values;
      const body = {
        grant_type: 'authorization_code',
        client_id,
        client_secret,
        code,
        redirect_uri: redirectUri(),
      };
      const authorization = `Bearer ${readAccessToken(await requestJson(token, { method: 'POST', body }))}`;
      const fields = readUserFields(await requestJson(user, { headers: { authorization } }));
      return {
        id: requiredText(fields, 'open_id'),
        login: stringField(fields, 'en_name'),
        name: stringField(fields, 'name'),
      };
    },
  };
}
