import { type UpstreamProblem, usualProblem } from '@headgate/providers';
import type { RelayChannel } from './ports.ts';
import { RelayError } from './relay-error.ts';

/** Worth another channel: the fault is the channel's, not the request's. */
const retriedStatuses: ReadonlySet<number> = new Set([401, 402, 403, 404, 408, 429]);

export const isRetried = (status: number): boolean => status >= 500 || retriedStatuses.has(status);

const longestMessage = 2000;

/** The upstream's own error in OpenAI's shape. */
export function upstreamError(
  status: number,
  body: Buffer,
  channel: RelayChannel,
  wordless = `The upstream answered with status ${status}`,
): RelayError {
  return relayErrorOf(usualProblem(status, parseJson(body.toString('utf8')), wordless), channel);
}

/** Cleaned of whatever could name the channel's key or address. */
export function relayErrorOf({ status, message, code, type }: UpstreamProblem, channel: RelayChannel): RelayError {
  // The caller's own token is fine; it is the channel's that is not.
  const shown = status === 401 || status === 403 ? 502 : status;
  return new RelayError(shown, clean(message, channel), code, type);
}

const longestWait = 3600;

/** The upstream's own word on when to come back, when that is a plain number of seconds. */
export const readRetryAfter = (header: string | string[] | undefined): number | undefined =>
  typeof header === 'string' && /^\d{1,6}$/.test(header) ? Math.min(Number(header), longestWait) : undefined;

function clean(message: string, { key, baseUrl, config }: RelayChannel): string {
  let text = message.slice(0, longestMessage);
  const [, origin = '', host = ''] = /^(https?:\/\/([^/?#]+))/.exec(baseUrl) ?? [];
  const secrets = [key, ...key.split('|'), config['sk'] ?? '', baseUrl, origin, host];
  for (const secret of secrets) if (secret.length >= 6) text = text.replaceAll(secret, '***');
  return text.replace(/\b(sk|key)-[A-Za-z0-9_-]{8,}/g, '***');
}

/** Undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
