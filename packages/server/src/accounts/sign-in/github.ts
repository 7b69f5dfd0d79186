import type { OptionService } from '../../platform/options/option-service.ts';
import { askForJson, OutgoingFailure } from '../../platform/outgoing/ask-for-json.ts';
import { textIn } from '../../platform/outgoing/json-answer.ts';
import { addressesOf, type ProviderUrls } from '../../platform/outgoing/provider-addresses.ts';
import { accessTokenOf, type LoginProvider, userFieldsOf } from './provider.ts';

/** Users are identified by GitHub's numeric id: login names can be given up and taken by others. */
export function github(options: OptionService, urls: ProviderUrls): LoginProvider {
  const { page, token, user } = addressesOf('github', urls);
  return {
    isOn: ({ GitHubOAuthEnabled, GitHubClientId }) => GitHubOAuthEnabled && GitHubClientId !== '',
    page: async ({ state }) => {
      const client_id = options.values.GitHubClientId;
      return `${page}?${new URLSearchParams({ client_id, state, scope: 'read:user' })}`;
    },
    identify: async (code) => {
      const { GitHubClientId: client_id, GitHubClientSecret: client_secret } = options.values;
      const answer = await askForJson(token, { method: 'POST', body: { client_id, client_secret, code } });
      const authorization = `Bearer ${accessTokenOf(answer)}`;
      const fields = userFieldsOf(await askForJson(user, { headers: { authorization } }));
      const { id } = fields;
      if (typeof id !== 'number' || !Number.isSafeInteger(id) || id <= 0) {
        throw new OutgoingFailure('unreadable', 'the response has no id');
      }
      return { id: String(id), login: textIn(fields, 'login'), name: textIn(fields, 'name') };
    },
  };
}
