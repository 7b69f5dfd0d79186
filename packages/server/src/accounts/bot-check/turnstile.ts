import type { OptionService } from '../../platform/options/option-service.ts';
import { jsonFields } from '../../platform/outgoing/json-response.ts';
import { effectiveProviderUrls, type ProviderUrls } from '../../platform/outgoing/provider-urls.ts';
import { requestJson } from '../../platform/outgoing/request-json.ts';
import type { TicketService } from '../../platform/tickets/ticket-service.ts';
import type { BotCheck } from './visitor-check.ts';

/** Verifies tokens with Cloudflare Turnstile. Each token is accepted once. */
export class Turnstile implements BotCheck {
  readonly #options: OptionService;
  readonly #tickets: TicketService;
  readonly #address: string;

  constructor(options: OptionService, tickets: TicketService, urls: ProviderUrls) {
    this.#options = options;
    this.#tickets = tickets;
    this.#address = effectiveProviderUrls('turnstile', urls).verify;
  }

  async passes(token: string, address: string): Promise<boolean> {
    // Marked as used before verification, so that two concurrent requests cannot both pass.
    if (token === '' || !(await this.#tickets.isFirstUse('turnstile', token))) return false;
    const secret = this.#options.values.TurnstileSecretKey;
    try {
      const body = new URLSearchParams({ secret, response: token, remoteip: address });
      const answer = await requestJson(this.#address, { method: 'POST', body });
      return answer.status === 200 && jsonFields(answer)['success'] === true;
    } catch {
      return false;
    }
  }
}
