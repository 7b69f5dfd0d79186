import { withoutTrailingSlash } from '@headgate/contract';
import { isForbiddenHost } from '@headgate/relay';
import { Refusal } from '../../platform/errors/refusal.ts';

/**
 * An admin's address in one spelling. It may be private (Ollama at home), but never one that hands out the
 * credentials of the machine or its cloud. What its name leads to is judged whenever it is called.
 */
export function upstreamAddress(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:\/\/[^/]/i.test(text)) throw new Refusal('baseUrlInvalid');
  const { username, password, origin, pathname } = url;
  // Paths are appended to it: behind ? or # they would not be paths.
  if (username !== '' || password !== '' || /[?#]/.test(text)) throw new Refusal('baseUrlInvalid');
  if (isForbiddenHost(url.hostname)) throw new Refusal('baseUrlForbidden');
  return withoutTrailingSlash(`${origin}${pathname}`);
}
