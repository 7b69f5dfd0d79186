import { createHmac } from 'node:crypto';
import { resultByFields, resultByStatus } from './delivery-result.ts';
import type { HttpDestination, MailDestination } from './destination-protocol.ts';
import {
  bodyText,
  breakMentions,
  escapeMarkdown,
  jsonType,
  truncateBytes,
  truncateCharacters,
} from './message-text.ts';

const keyPrefix = 'whsec_';

/** Decodes secrets in the Standard Webhooks format; other secrets are used as they are. */
const keyOf = (secret: string): Buffer =>
  secret.startsWith(keyPrefix) ? Buffer.from(secret.slice(keyPrefix.length), 'base64') : Buffer.from(secret);

/** Standard Webhooks headers for a body with this id. */
export function webhookHeaders(id: string, body: string, secret: string, nowMs: number): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const signature = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

/** The operator's own server. Requests are signed as specified by Standard Webhooks. */
export const webhook: HttpDestination = {
  write: (message, { address = '', secret = '' }, nowMs) => {
    const { id, kind, time, gateway, title, lines, link, isUrgent, values } = message;
    const data = { gateway, title, lines, link, urgent: isUrgent, values };
    const body = JSON.stringify({ type: kind, timestamp: new Date(time * 1000).toISOString(), data });
    return {
      url: address,
      headers: { ...jsonType, ...webhookHeaders(id, body, secret, nowMs) },
      body,
    };
  },
  parseResult: resultByStatus,
};

const priority = { usual: 3, urgent: 4 } as const;

/** Sent as JSON to the server's root, because a title in a header could not contain Chinese. */
export const ntfy: HttpDestination = {
  write: (message, { address = '', topic = '', token = '' }) => {
    const body = {
      topic,
      title: truncateCharacters(message.title, 200),
      message: truncateBytes(bodyText(message), 4000),
      priority: message.isUrgent ? priority.urgent : priority.usual,
      ...(message.link !== '' && { click: message.link }),
    };
    const headers = { ...jsonType, ...(token !== '' && { authorization: `Bearer ${token}` }) };
    return { url: `${address}/`, headers, body: JSON.stringify(body) };
  },
  parseResult: resultByStatus,
};

/** Same protocol as the message pusher in the system settings, at another address. */
export const pusher: HttpDestination = {
  write: (message, { address = '', token = '' }) => {
    const { title, lines, link: url } = message;
    const body = pusherRequestBody({ title, lines, content: lines.map(escapeMarkdown), url }, token);
    return { url: address, headers: jsonType, body: JSON.stringify(body) };
  },
  parseResult: resultByFields({ field: 'success', taken: true, message: 'message' }),
};

interface Pushed {
  readonly title: string;
  /** Plain text. */
  readonly lines: readonly string[];
  /** The same in Markdown. */
  readonly content: readonly string[];
  readonly url: string;
}

/**
 * The content is shown as Markdown and the description as plain text. The final client is unknown, and in many clients
 * `@name` mentions users even when escaped.
 */
export const pusherRequestBody = ({ title, lines, content, url }: Pushed, token: string) => ({
  title: breakMentions(title),
  description: breakMentions(lines.join('\n\n')),
  content: breakMentions(content.join('\n\n')),
  url,
  channel: '',
  token,
});

export const email: MailDestination = { mailboxes: ({ to = '' }) => to.split(',') };
