import type { RelayChannel } from './ports.ts';
import { RelayError } from './relay-error.ts';

/** Worth another channel: the fault is the channel's, not the request's. */
const retriedStatuses: ReadonlySet<number> = new Set([401, 402, 403, 404, 408, 429]);

export const isRetried = (status: number): boolean => status >= 500 || retriedStatuses.has(status);

const longestMessage = 2000;

/** The upstream's own error in OpenAI's shape, cleaned of whatever could name the channel's key or address. */
export function upstreamError(
  status: number,
  body: Buffer,
  channel: RelayChannel,
  wordless = `The upstream answered with status ${status}`,
): RelayError {
  const { message, type, code } = readError(body.toString('utf8'), wordless);
  // The caller's own token is fine; it is the channel's that is not.
  const shown = status === 401 || status === 403 ? 502 : status;
  return new RelayError(shown, clean(message, channel), code, type);
}

const longestWait = 3600;

/** The upstream's own word on when to come back, when that is a plain number of seconds. */
export const readRetryAfter = (header: string | string[] | undefined): number | undefined =>
  typeof header === 'string' && /^\d{1,6}$/.test(header) ? Math.min(Number(header), longestWait) : undefined;

interface ErrorWords {
  readonly message: string;
  readonly type: string;
  readonly code: string | null;
}

function readError(text: string, wordless: string): ErrorWords {
  const otherwise = { message: wordless, type: 'upstream_error', code: null };
  const body = parseObject(text);
  const error = body?.['error'];
  if (typeof error === 'string') return { ...otherwise, message: error };
  const source = (typeof error === 'object' && error !== null ? error : body) as Record<string, unknown> | undefined;
  const message = ['message', 'msg', 'error_msg']
    .map((name) => source?.[name])
    .find((value) => typeof value === 'string');
  const type = source?.['type'];
  const code = source?.['code'];
  return {
    message: typeof message === 'string' && message !== '' ? message : otherwise.message,
    type: typeof type === 'string' ? type : otherwise.type,
    code: typeof code === 'string' || typeof code === 'number' ? String(code) : null,
  };
}

function clean(message: string, { key, baseUrl }: RelayChannel): string {
  let text = message.slice(0, longestMessage);
  const secrets = [key, ...key.split('|'), baseUrl, baseUrl.replace(/^https?:\/\//, '')];
  for (const secret of secrets) if (secret.length >= 6) text = text.replaceAll(secret, '***');
  return text.replace(/\b(sk|key)-[A-Za-z0-9_-]{8,}/g, '***');
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
