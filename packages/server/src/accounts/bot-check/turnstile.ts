import { ApiError, type ApiErrorCode } from '../../platform/errors/api-error.ts';
import type { OptionService } from '../../platform/options/option-service.ts';
import { effectiveProviderUrls, type ProviderUrls } from '../../platform/outgoing/provider-urls.ts';
import { jsonFields, requestJson } from '../../platform/outgoing/request-json.ts';
import type { TicketService } from '../../platform/tickets/ticket-service.ts';

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
      const response = await requestJson(this.#address, { method: 'POST', body });
      return response.status === 200 && jsonFields(response)['success'] === true;
    } catch {
      return false;
    }
  }
}

/** Verifies a bot check token with its service. */
export interface BotCheck {
  passes(token: string, address: string): Promise<boolean>;
}

export interface Visitor {
  readonly address: string;
  readonly botCheckToken: string;
}

/** Requires a passed bot check where the settings enable it. */
export class BotCheckService {
  readonly #options: Pick<OptionService, 'values'>;
  readonly #botCheck: BotCheck;

  constructor(options: Pick<OptionService, 'values'>, botCheck: BotCheck) {
    this.#options = options;
    this.#botCheck = botCheck;
  }

  /** Error code for a request without a bot check token. */
  async require({ address, botCheckToken }: Visitor, missing: ApiErrorCode = 'botCheckFailed'): Promise<void> {
    if (!this.#options.values.TurnstileCheckEnabled) return;
    if (botCheckToken === '') throw new ApiError(missing);
    if (!(await this.#botCheck.passes(botCheckToken, address))) throw new ApiError('botCheckFailed');
  }
}
