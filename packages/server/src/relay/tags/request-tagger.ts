import type { OptionValues } from '@headgate/contract';
import type { RelayRequest } from '@headgate/relay';
import type { TokenCaller } from '../callers/token-caller.ts';
import { readTags, withoutMetadataTags } from './request-tags.ts';
import { TagValues } from './tag-values.ts';

interface Options {
  readonly values: Pick<OptionValues, 'TagKeys'>;
}

/** Records the tags of each request, to be stored with its log. */
export class RequestTagger {
  readonly #options: Options;
  readonly #values: TagValues;

  constructor(options: Options, values = new TagValues()) {
    this.#options = options;
    this.#values = values;
  }

  /** Returns the request to send to upstreams. */
  tag(caller: TokenCaller, request: RelayRequest): RelayRequest {
    const { TagKeys: keys } = this.#options.values;
    const { fixedTags: fixed } = caller.entry;
    if (keys.length === 0) return request;
    const { identity } = caller.credentials;
    const tags = readTags(request, {
      keys,
      fixed,
      user: caller.userId,
      subject: identity?.subject,
      values: this.#values,
    });
    if (tags.size > 0) caller.setTags(tags);
    return withoutMetadataTags(request);
  }
}
