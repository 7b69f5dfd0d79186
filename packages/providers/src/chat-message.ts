import type { ToolCall } from './chat-answer.ts';
import { listOf, objectOf, requiredText, textOrNone } from './json-fields.ts';
import { RequestProblem } from './problems.ts';

export type ChatMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** From `system` and `developer` alike. */
export interface SystemMessage {
  readonly role: 'system';
  readonly text: string;
}

export interface UserMessage {
  readonly role: 'user';
  readonly parts: readonly ContentPart[];
}

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly text: string;
  readonly reasoning: string;
  readonly toolCalls: readonly ToolCall[];
}

export interface ToolMessage {
  readonly role: 'tool';
  readonly toolCallId: string;
  readonly text: string;
}

export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | ImagePart
  | { readonly type: 'audio'; readonly data: string; readonly format: string }
  | { readonly type: 'file'; readonly name: string; readonly data: string };

export interface ImagePart {
  readonly type: 'image';
  readonly image: InlineImage | { readonly url: string };
}

export interface InlineImage {
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
}

export function readMessage(value: unknown, index: number): ChatMessage {
  const at = `messages[${index}]`;
  const message = objectOf(value, at);
  switch (message['role']) {
    case 'system':
    case 'developer':
      return { role: 'system', text: textOf(message['content'], `${at}.content`) };
    case 'user':
      return { role: 'user', parts: partsOf(message['content'], `${at}.content`) };
    case 'assistant':
      return {
        role: 'assistant',
        text: textOf(message['content'] ?? '', `${at}.content`),
        reasoning: typeof message['reasoning_content'] === 'string' ? message['reasoning_content'] : '',
        toolCalls:
          message['tool_calls'] == null
            ? []
            : listOf(message['tool_calls'], `${at}.tool_calls`).map((call, number) =>
                readToolCall(call, `${at}.tool_calls[${number}]`),
              ),
      };
    case 'tool':
      return {
        role: 'tool',
        toolCallId: requiredText(message['tool_call_id'], `${at}.tool_call_id`),
        text: textOf(message['content'] ?? '', `${at}.content`),
      };
    default:
      throw new RequestProblem(`${at}.role`, `${at}.role must be system, developer, user, assistant or tool`);
  }
}

function readToolCall(value: unknown, at: string): ToolCall {
  const call = objectOf(value, at);
  const called = objectOf(call['function'], `${at}.function`);
  return {
    id: requiredText(call['id'], `${at}.id`),
    name: requiredText(called['name'], `${at}.function.name`),
    arguments: textOrNone(called['arguments'], `${at}.function.arguments`) || '{}',
  };
}

/** A content that may only be text: parts are put together. */
function textOf(content: unknown, at: string): string {
  return partsOf(content, at)
    .map((part) => {
      if (part.type !== 'text') throw new RequestProblem(at, `${at} may only hold text`);
      return part.text;
    })
    .join('');
}

function partsOf(content: unknown, at: string): readonly ContentPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return listOf(content, at).map((part, index) => readPart(part, `${at}[${index}]`));
}

function readPart(value: unknown, at: string): ContentPart {
  const part = objectOf(value, at);
  switch (part['type']) {
    case 'text':
    case 'refusal':
      return { type: 'text', text: requiredText(part[part['type']], `${at}.${part['type']}`) };
    case 'image_url': {
      const given = part['image_url'];
      const url = typeof given === 'string' ? given : objectOf(given, `${at}.image_url`)['url'];
      return { type: 'image', image: readImage(requiredText(url, `${at}.image_url.url`), at) };
    }
    case 'input_audio': {
      const audio = objectOf(part['input_audio'], `${at}.input_audio`);
      const data = requiredText(audio['data'], `${at}.input_audio.data`);
      return { type: 'audio', data, format: requiredText(audio['format'], `${at}.input_audio.format`) };
    }
    case 'file': {
      const file = objectOf(part['file'], `${at}.file`);
      const name = textOrNone(file['filename'], `${at}.file.filename`) ?? '';
      return { type: 'file', name, data: requiredText(file['file_data'], `${at}.file.file_data`) };
    }
    default:
      throw new RequestProblem(`${at}.type`, `${at}.type is not a kind of content`);
  }
}

const dataUrl = /^data:([a-z]+\/[a-z0-9.+-]+)(?:;[a-z0-9=-]+)*;base64,/i;

function readImage(url: string, at: string): ImagePart['image'] {
  const inline = dataUrl.exec(url);
  if (inline?.[1] !== undefined) return { mediaType: inline[1].toLowerCase(), data: url.slice(inline[0].length) };
  if (/^https?:\/\//i.test(url)) return { url };
  throw new RequestProblem(`${at}.image_url.url`, `${at}.image_url.url must be an http address or a base64 data URL`);
}
