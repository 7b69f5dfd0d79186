import { Refusal, type RefusalCode } from '../../platform/errors/refusal.ts';
import type { OptionService } from '../../platform/options/option-service.ts';

/** Asks the bot check's service whether a person solved it. */
export interface BotCheck {
  passes(token: string, address: string): Promise<boolean>;
}

export interface Visitor {
  readonly address: string;
  readonly botCheckToken: string;
}

/** Lets people through, and programs only where the gateway asks for no check. */
export class VisitorCheck {
  readonly #options: Pick<OptionService, 'values'>;
  readonly #botCheck: BotCheck;

  constructor(options: Pick<OptionService, 'values'>, botCheck: BotCheck) {
    this.#options = options;
    this.#botCheck = botCheck;
  }

  /** `missing` is said to whoever comes without a token. */
  async require({ address, botCheckToken }: Visitor, missing: RefusalCode = 'botCheckFailed'): Promise<void> {
    if (!this.#options.values.TurnstileCheckEnabled) return;
    if (botCheckToken === '') throw new Refusal(missing);
    if (!(await this.#botCheck.passes(botCheckToken, address))) throw new Refusal('botCheckFailed');
  }
}
