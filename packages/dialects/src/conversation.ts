import type { PromptFields } from './dialect.ts';
import { isObject, type JsonObject } from './json-fields.ts';

/** Headers in which clients send their conversation id. */
export const sessionHeaders = [
  'x-session-id',
  'session_id',
  'session-id',
  'x-claude-code-session-id',
  'x-conversation-id',
] as const;

/** Cache key that OpenAI's clients set for requests with a common prompt prefix. */
export const promptCacheKey = ({ prompt_cache_key: key }: JsonObject): string | undefined =>
  typeof key === 'string' && key !== '' ? key : undefined;

const firstSpeaker = 'user';
const maxMessages = 8;

/**
 * Start of a conversation: the texts up to the first user message, truncated to `most` characters. Cache markers are
 * ignored, because clients move them between turns.
 */
export function conversationStart(input: unknown, prompt: PromptFields, max: number): string {
  if (!Array.isArray(input)) return textIn(input, prompt, max);
  let opening = '';
  for (const message of (input as readonly unknown[]).slice(0, maxMessages)) {
    opening += `\0${textIn(message, prompt, max - opening.length)}`;
    if (opening.length >= max || (isObject(message) && message[prompt.role] === firstSpeaker)) break;
  }
  return opening;
}

function textIn(part: unknown, prompt: PromptFields, max: number, depth = 0): string {
  if (max <= 0 || depth > 4) return '';
  if (typeof part === 'string') return part.slice(0, max);
  if (Array.isArray(part)) {
    let text = '';
    for (const each of part as readonly unknown[]) {
      if (text.length >= max) break;
      text += textIn(each, prompt, max - text.length, depth + 1);
    }
    return text;
  }
  if (!isObject(part)) return '';
  const text = textIn(part[prompt.text], prompt, max, depth + 1);
  return prompt.nested.reduce((all, name) => all + textIn(part[name], prompt, max - all.length, depth + 1), text);
}
