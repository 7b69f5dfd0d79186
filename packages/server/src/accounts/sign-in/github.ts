import type { OptionService } from '../../platform/options/option-service.ts';
import { textIn } from '../../platform/outgoing/json-response.ts';
import { type ProviderUrls, providerUrlsOf } from '../../platform/outgoing/provider-urls.ts';
import { OutgoingError, requestJson } from '../../platform/outgoing/request-json.ts';
import { accessTokenOf, type LoginProvider, userFieldsOf } from './provider.ts';

/** Users are identified by GitHub's numeric id: login names can be given up and taken by others. */
export function github(options: OptionService, urls: ProviderUrls): LoginProvider {
  const { page, token, user } = providerUrlsOf('github', urls);
  return {
    isOn: ({ GitHubOAuthEnabled, GitHubClientId }) => GitHubOAuthEnabled && GitHubClientId !== '',
    page: async ({ state }) => {
      const client_id = options.values.GitHubClientId;
      return `${page}?${new URLSearchParams({ client_id, state, scope: 'read:user' })}`;
    },
    identify: async (code) => {
      const { GitHubClientId: client_id, GitHubClientSecret: client_secret } = options.values;
      const answer = await requestJson(token, { method: 'POST', body: { client_id, client_secret, code } });
      const authorization = `Bearer ${accessTokenOf(answer)}`;
      const fields = userFieldsOf(await requestJson(user, { headers: { authorization } }));
      const { id } = fields;
      if (typeof id !== 'number' || !Number.isSafeInteger(id) || id <= 0) {
        throw new OutgoingError('unreadable', 'the response has no id');
      }
      return { id: String(id), login: textIn(fields, 'login'), name: textIn(fields, 'name') };
    },
  };
}
