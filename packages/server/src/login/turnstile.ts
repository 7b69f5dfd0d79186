import { nowInSeconds } from '../clock.ts';
import type { OptionService } from '../options/option-service.ts';
import type { BotCheck } from '../registration/visitor-check.ts';
import { hashSecret } from '../secrets/secret-box.ts';

const turnstileVerifyUrl = 'https://challenges.cloudflare.com/turnstile/v0/siteverify';

const timeoutMs = 5000;
/** Cloudflare's tokens live for five minutes. */
const rememberedSeconds = 600;

/** Asks Cloudflare whether a token was given to a person; the same token never passes twice. */
export class Turnstile implements BotCheck {
  readonly #options: OptionService;
  readonly #url: string;
  readonly #used = new Map<string, number>();

  constructor(options: OptionService, url = turnstileVerifyUrl) {
    this.#options = options;
    this.#url = url;
  }

  async passes(token: string, address: string): Promise<boolean> {
    if (token === '' || !this.#isFresh(hashSecret(token))) return false;
    const secret = this.#options.values.TurnstileSecretKey;
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        body: new URLSearchParams({ secret, response: token, remoteip: address }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      const reply: unknown = await response.json();
      return response.ok && typeof reply === 'object' && reply !== null && 'success' in reply && reply.success === true;
    } catch {
      return false;
    }
  }

  /** Remembered before it is asked about: two calls at once cannot both pass. */
  #isFresh(hash: string): boolean {
    const now = nowInSeconds();
    for (const [used, until] of this.#used) {
      if (until > now) break;
      this.#used.delete(used);
    }
    if (this.#used.has(hash)) return false;
    this.#used.set(hash, now + rememberedSeconds);
    return true;
  }
}
