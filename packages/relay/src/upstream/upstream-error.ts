import { parseJson, type UpstreamProblem } from '@headgate/dialects';
import { defaultMessage, defaultProblem, isContentFilterCode } from '@headgate/providers';
import { maskSecrets } from '../guards/mask-secrets.ts';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { RelayError } from '../ports/relay-error.ts';

/** Statuses that are retried, because they are caused by the channel, not the request. */
const retriedStatuses: ReadonlySet<number> = new Set([401, 402, 403, 404, 408, 429]);

export const isRetryable = (status: number): boolean => status >= 500 || retriedStatuses.has(status);

/**
 * True if an error is caused by the channel. An error about the request's content is caused by the request, regardless
 * of its status.
 */
export const isChannelFault = (status: number, { code, type }: Pick<RelayError, 'code' | 'type'>): boolean =>
  isRetryable(status) && !isContentFilterCode(code) && !isContentFilterCode(type);

const maxMessageLength = 2000;
const maxNameLength = 200;

/** The upstream's error in OpenAI's format. */
export function upstreamError(
  status: number,
  body: Buffer,
  channel: RelayChannel,
  fallbackMessage = defaultMessage(status),
): RelayError {
  return toRelayError(defaultProblem(status, parseJson(body.toString('utf8')), fallbackMessage), channel);
}

/** Removes the channel's key and URL from every field. */
export function toRelayError({ status, message, code, type }: UpstreamProblem, channel: RelayChannel): RelayError {
  // 502, because the caller's token is valid and only the channel's key is not.
  const shown = status === 401 || status === 403 ? 502 : status;
  const clean = (text: string, longest: number) => maskSecrets(text, channel).slice(0, longest);
  const name = (text: string) => clean(text, maxNameLength);
  return new RelayError(shown, clean(message, maxMessageLength), code === null ? null : name(code), name(type));
}
