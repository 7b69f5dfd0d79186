import type { HomeAddress } from '../../platform/options/home-address.ts';
import type { OptionService } from '../../platform/options/option-service.ts';
import { askForJson } from '../../platform/outgoing/ask-for-json.ts';
import { textIn } from '../../platform/outgoing/json-answer.ts';
import { addressesOf, type ProviderUrls } from '../../platform/outgoing/provider-addresses.ts';
import { accessTokenOf, type LoginProvider, requiredText, userFieldsOf } from './provider.ts';

export function lark(options: OptionService, home: HomeAddress, urls: ProviderUrls): LoginProvider {
  const { page, token, user } = addressesOf('lark', urls);
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
      const authorization = `Bearer ${accessTokenOf(await askForJson(token, { method: 'POST', body }))}`;
      const fields = userFieldsOf(await askForJson(user, { headers: { authorization } }));
      return { id: requiredText(fields, 'open_id'), login: textIn(fields, 'en_name'), name: textIn(fields, 'name') };
    },
  };
}
