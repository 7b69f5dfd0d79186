import { isObject } from '@headgate/dialects';
import type { JsonObject } from '../provider.ts';

/** Whether a message has OpenAI's newer system role, which other vendors do not support. */
const isDeveloper = (message: unknown) => isObject(message) && message['role'] === 'developer';

export function withSystemRole({ messages }: JsonObject): JsonObject {
  if (!Array.isArray(messages) || !messages.some(isDeveloper)) return {};
  return {
    messages: (messages as readonly JsonObject[]).map((message) =>
      isDeveloper(message) ? { ...message, role: 'system' } : message,
    ),
  };
}
