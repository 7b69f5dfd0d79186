import type { OptionService } from '../../platform/options/option-service.ts';
import { jsonFields, stringField } from '../../platform/outgoing/json-response.ts';
import { requestJson } from '../../platform/outgoing/request-json.ts';
import type { TicketService } from '../../platform/tickets/ticket-service.ts';
import { type LoginProvider, ProviderRejectedError } from './provider.ts';

/** WeChat server that sends login codes. It may accept a code for longer than we do, so used codes are remembered. */
export function wechat(options: OptionService, tickets: TicketService): LoginProvider {
  return {
    isOn: ({ WeChatAuthEnabled, WeChatServerAddress }) => WeChatAuthEnabled && WeChatServerAddress !== '',
    identify: async (code) => {
      const { WeChatServerAddress, WeChatServerToken } = options.values;
      const address = `${WeChatServerAddress}/api/wechat/user?${new URLSearchParams({ code })}`;
      const answer = await requestJson(address, { headers: { authorization: WeChatServerToken } });
      const fields = jsonFields(answer);
      const id = stringField(fields, 'data').trim();
      if (answer.status !== 200 || fields['success'] !== true || id === '' || id.length > 255) {
        throw new ProviderRejectedError('the code is unknown');
      }
      if (!(await tickets.isFirstUse('wechat', code))) throw new ProviderRejectedError('the code was already used');
      return { id, login: '', name: '', issuer: WeChatServerAddress };
    },
  };
}
