import { stripTrailingSlash } from '@headgate/contract';
import { ApiError, type ApiErrorCode } from '../errors/api-error.ts';
import type { OptionService } from './option-service.ts';

/** Public URL of the gateway. Never derived from the request, because the client chooses the Host header. */
export class PublicUrl {
  readonly #options: OptionService;
  readonly #publicUrl: string | undefined;

  constructor(options: OptionService, publicUrl: string | undefined) {
    this.#options = options;
    this.#publicUrl = publicUrl;
  }

  /** Undefined if it is not set. */
  get url(): string | undefined {
    const home = this.#options.values.ServerAddress || this.#publicUrl;
    return home ? stripTrailingSlash(home) : undefined;
  }

  /** Throws this error if no URL is set. */
  require(code: ApiErrorCode): string {
    const home = this.url;
    if (home === undefined) throw new ApiError(code);
    return home;
  }
}
