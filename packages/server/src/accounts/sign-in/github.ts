import type { OptionService } from '../../platform/options/option-service.ts';
import { stringField } from '../../platform/outgoing/json-response.ts';
import { effectiveProviderUrls, type ProviderUrls } from '../../platform/outgoing/provider-urls.ts';
import { OutgoingError, requestJson } from '../../platform/outgoing/request-json.ts';
import { type LoginProvider, readAccessToken, readUserFields } from './provider.ts';

/** Users are identified by GitHub's numeric id: login names can be given up and taken by others. */
export function github(options: OptionService, urls: ProviderUrls): LoginProvider {
  const { page, token, user } = effectiveProviderUrls('github', urls);
  return {
    isOn: ({ GitHubOAuthEnabled, GitHubClientId }) => GitHubOAuthEnabled && GitHubClientId !== '',
    page: async ({ state }) => {
      const client_id = options.values.GitHubClientId;
      return `${page}?${new URLSearchParams({ client_id, state, scope: 'read:user' })}`;
    },
    identify: async (code) => {
      const { GitHubClientId: client_id, GitHubClientSecret: client_secret } = options.values;
      const answer = await requestJson(token, { method: 'POST', body: { client_id, client_secret, code } });
      const authorization = `Bearer ${readAccessToken(answer)}`;
      const fields = readUserFields(await requestJson(user, { headers: { authorization } }));
      const { id } = fields;
      if (typeof id !== 'number' || !Number.isSafeInteger(id) || id <= 0) {
        throw new OutgoingError('unreadable', 'the response has no id');
      }
      return { id: String(id), login: stringField(fields, 'login'), name: stringField(fields, 'name') };
    },
  };
}
