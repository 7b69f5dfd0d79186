import { parseJson, type UpstreamProblem } from '@headgate/dialects';
import { isFilterWord, unreadMessage, usualProblem } from '@headgate/providers';
import { maskSecrets } from '../guards/mask-secrets.ts';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { RelayError } from '../ports/relay-error.ts';

/** Worth another channel: the fault is the channel's, not the request's. */
const retriedStatuses: ReadonlySet<number> = new Set([401, 402, 403, 404, 408, 429]);

export const isRetried = (status: number): boolean => status >= 500 || retriedStatuses.has(status);

/** Whether a channel is to blame for an error. One for what the request says is the request's, whatever status it has. */
export const isChannelFault = (status: number, { code, type }: Pick<RelayError, 'code' | 'type'>): boolean =>
  isRetried(status) && !isFilterWord(code) && !isFilterWord(type);

const longestMessage = 2000;
const longestName = 200;

/** The upstream's own error in OpenAI's shape. */
export function upstreamError(
  status: number,
  body: Buffer,
  channel: RelayChannel,
  fallbackMessage = unreadMessage(status),
): RelayError {
  return relayErrorOf(usualProblem(status, parseJson(body.toString('utf8')), fallbackMessage), channel);
}

/** Cleaned of whatever could name the channel's key or address, in every field. */
export function relayErrorOf({ status, message, code, type }: UpstreamProblem, channel: RelayChannel): RelayError {
  // The caller's own token is fine; it is the channel's that is not.
  const shown = status === 401 || status === 403 ? 502 : status;
  const clean = (text: string, longest: number) => maskSecrets(text, channel).slice(0, longest);
  const name = (text: string) => clean(text, longestName);
  return new RelayError(shown, clean(message, longestMessage), code === null ? null : name(code), name(type));
}
