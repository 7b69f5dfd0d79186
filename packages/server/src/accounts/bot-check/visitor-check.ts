import { ApiError, type ApiErrorCode } from '../../platform/errors/api-error.ts';
import type { OptionService } from '../../platform/options/option-service.ts';

/** Verifies a bot check token with its service. */
export interface BotCheck {
  passes(token: string, address: string): Promise<boolean>;
}

export interface Visitor {
  readonly address: string;
  readonly botCheckToken: string;
}

/** Requires a passed bot check where the settings enable it. */
export class VisitorCheck {
  readonly #options: Pick<OptionService, 'values'>;
  readonly #botCheck: BotCheck;

  constructor(options: Pick<OptionService, 'values'>, botCheck: BotCheck) {
    this.#options = options;
    this.#botCheck = botCheck;
  }

  /** `missing` is the error code for a request without a token. */
  async require({ address, botCheckToken }: Visitor, missing: ApiErrorCode = 'botCheckFailed'): Promise<void> {
    if (!this.#options.values.TurnstileCheckEnabled) return;
    if (botCheckToken === '') throw new ApiError(missing);
    if (!(await this.#botCheck.passes(botCheckToken, address))) throw new ApiError('botCheckFailed');
  }
}
