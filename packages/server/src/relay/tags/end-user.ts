import { isTagValue } from '@headgate/contract';
import { endUserWithoutSession, isObject } from '@headgate/dialects';
import type { RelayRequest } from '@headgate/relay';

/** LiteLLM's headers for the end user, in its order of precedence. */
const endUserHeaders = ['x-litellm-customer-id', 'x-litellm-end-user-id'] as const;

/** Longer ids are ignored. */
const maxIdLength = 1000;

/**
 * End user of a request: LiteLLM's headers, then `user`, `safety_identifier` (OpenAI) or `metadata.user_id`
 * (Anthropic) in the body. Undefined if there is none or if it is not a valid tag value.
 */
export function readEndUser({ headers, body }: Pick<RelayRequest, 'headers' | 'body'>): string | undefined {
  const { user, safety_identifier: safety, metadata } = body;
  const inMetadata = isObject(metadata) ? metadata['user_id'] : undefined;
  const given = [...endUserHeaders.map((name) => headers[name]), user, safety, inMetadata];
  const id = given.find((one): one is string => typeof one === 'string' && one.trim() !== '');
  if (id === undefined || id.length > maxIdLength) return undefined;
  const endUser = endUserWithoutSession(id.trim());
  return isTagValue(endUser) ? endUser : undefined;
}
