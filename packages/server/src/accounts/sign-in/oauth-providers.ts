import type { OptionService } from '../../platform/options/option-service.ts';
import type { PublicUrl } from '../../platform/options/public-url.ts';
import { effectiveProviderUrls, type ProviderUrls } from '../../platform/outgoing/provider-urls.ts';
import { jsonFields, OutgoingError, requestJson, stringField } from '../../platform/outgoing/request-json.ts';
import type { TicketService } from '../../platform/tickets/ticket-service.ts';
import {
  type LoginProvider,
  ProviderRejectedError,
  readAccessToken,
  readUserFields,
  requiredText,
} from './provider.ts';

/** Users are identified by GitHub's numeric id, because login names can be given up and reused. */
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
      const response = await requestJson(token, { method: 'POST', body: { client_id, client_secret, code } });
      const authorization = `Bearer ${readAccessToken(response)}`;
      const fields = readUserFields(await requestJson(user, { headers: { authorization } }));
      const { id } = fields;
      if (typeof id !== 'number' || !Number.isSafeInteger(id) || id <= 0) {
        throw new OutgoingError('unreadable', 'the response has no id');
      }
      return { id: String(id), login: stringField(fields, 'login'), name: stringField(fields, 'name') };
    },
  };
}

/**
 * WeChat server that sends login codes. It may accept a code for longer than the gateway does, so used codes are
 * remembered.
 */
export function wechat(options: OptionService, tickets: TicketService): LoginProvider {
  return {
    isOn: ({ WeChatAuthEnabled, WeChatServerAddress }) => WeChatAuthEnabled && WeChatServerAddress !== '',
    identify: async (code) => {
      const { WeChatServerAddress, WeChatServerToken } = options.values;
      const address = `${WeChatServerAddress}/api/wechat/user?${new URLSearchParams({ code })}`;
      const response = await requestJson(address, { headers: { authorization: WeChatServerToken } });
      const fields = jsonFields(response);
      const id = stringField(fields, 'data').trim();
      if (response.status !== 200 || fields['success'] !== true || id === '' || id.length > 255) {
        throw new ProviderRejectedError('the code is unknown');
      }
      if (!(await tickets.isFirstUse('wechat', code))) throw new ProviderRejectedError('the code was already used');
      return { id, login: '', name: '', issuer: WeChatServerAddress };
    },
  };
}

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
