import { withoutTrailingSlash } from '@headgate/contract';
import { Refusal, type RefusalCode } from '../errors/refusal.ts';
import type { OptionService } from './option-service.ts';

/** Where people reach the gateway. Never from the request: whoever sends it chooses its Host. */
export class HomeAddress {
  readonly #options: OptionService;
  readonly #publicUrl: string | undefined;

  constructor(options: OptionService, publicUrl: string | undefined) {
    this.#options = options;
    this.#publicUrl = publicUrl;
  }

  /** Undefined while nobody has set it. */
  get url(): string | undefined {
    const home = this.#options.values.ServerAddress || this.#publicUrl;
    return home ? withoutTrailingSlash(home) : undefined;
  }

  /** Refuses so while nobody has set it. */
  require(refusal: RefusalCode): string {
    const home = this.url;
    if (home === undefined) throw new Refusal(refusal);
    return home;
  }
}
