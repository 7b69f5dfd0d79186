import type { CacheControlled, ContentPart, TextPart } from '../chat/chat-message.ts';
import { isObject, type JsonObject, optionalText, requiredText, requireList, requireObject } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { listAt, objectAt, textAt } from '../upstream-fields.ts';

/** Cache marker on a block or a tool. */
export const readCacheControl = ({ cache_control: mark }: JsonObject, at: string): CacheControlled =>
  mark == null ? {} : { cacheControl: requireObject(mark, `${at}.cache_control`) };

/** Text-only content. */
export const readTextParts = (content: unknown, at: string): readonly TextPart[] =>
  readBlocks(content, at).map(([block, path]) => {
    if (block['type'] !== 'text') throw new RequestProblem(path, `${path} must be text`);
    return readText(block, path);
  });

/** Content blocks with their paths; a plain string is one block. */
export function readBlocks(content: unknown, at: string): readonly (readonly [JsonObject, string])[] {
  if (typeof content === 'string') return content === '' ? [] : [[{ type: 'text', text: content }, at]];
  return requireList(content, at).map((block, index) => [requireObject(block, `${at}[${index}]`), `${at}[${index}]`]);
}

/** Parts of a user message or a tool result. */
export function readParts(block: JsonObject, at: string): readonly ContentPart[] {
  switch (block['type']) {
    case 'text':
      return [readText(block, at)];
    case 'image':
      return [
        {
          type: 'image',
          image: readImage(requireObject(block['source'], `${at}.source`), at),
          ...readCacheControl(block, at),
        },
      ];
    case 'document':
      return readDocument(block, at);
    case 'search_result':
      return withHeading([block['title'], block['source']], toContentParts(block['content'], `${at}.content`));
    case 'tool_reference':
      // All tools are declared from the start, so the name of the discovered tool is enough.
      return [{ type: 'text', text: requiredText(block['tool_name'], `${at}.tool_name`) }];
    default:
      throw new RequestProblem(`${at}.type`, `${at}.type is not supported by the channel's provider`);
  }
}

export const toContentParts = (content: unknown, at: string): readonly ContentPart[] =>
  readBlocks(content, at).flatMap(([block, path]) => readParts(block, path));

const readText = (block: JsonObject, at: string): TextPart => ({
  type: 'text',
  text: requiredText(block['text'], `${at}.text`),
  ...readCacheControl(block, at),
});

function readImage(source: JsonObject, at: string) {
  switch (source['type']) {
    case 'base64':
      return {
        mediaType: requiredText(source['media_type'], `${at}.source.media_type`),
        data: requiredText(source['data'], `${at}.source.data`),
      };
    case 'url':
      return { url: webAddress(source['url'], `${at}.source.url`) };
    default:
      throw storedElsewhereError(at);
  }
}

function webAddress(value: unknown, at: string): string {
  const url = requiredText(value, at);
  if (/^https?:\/\//i.test(url)) return url;
  throw new RequestProblem(at, `${at} must be an HTTP URL`);
}

/** A PDF stays a file; text documents become text, which all models support. */
function readDocument(block: JsonObject, at: string): readonly ContentPart[] {
  const source = requireObject(block['source'], `${at}.source`);
  const title = optionalText(block['title'], `${at}.title`) ?? '';
  const mark = readCacheControl(block, at);
  switch (source['type']) {
    case 'base64': {
      const mediaType = requiredText(source['media_type'], `${at}.source.media_type`);
      const data = requiredText(source['data'], `${at}.source.data`);
      return [{ type: 'file', name: title, data: `data:${mediaType};base64,${data}`, ...mark }];
    }
    case 'text':
      return withHeading(
        [title, block['context']],
        [{ type: 'text', text: requiredText(source['data'], `${at}.source.data`), ...mark }],
      );
    case 'content':
      return withHeading([title, block['context']], toContentParts(source['content'], `${at}.source.content`));
    default:
      throw storedElsewhereError(at);
  }
}

function withHeading(lines: readonly unknown[], parts: readonly ContentPart[]): readonly ContentPart[] {
  const heading = lines.filter((line) => typeof line === 'string' && line !== '').join('\n');
  return heading === '' ? parts : [{ type: 'text', text: `${heading}\n\n` }, ...parts];
}

/** A file stored at Anthropic or a document by URL is not available to the gateway. */
const storedElsewhereError = (at: string) =>
  new RequestProblem(`${at}.source.type`, `The channel's provider does not support this ${at}.source.type`);

/** Tools defined by Anthropic and run by the client. */
const clientTool = /^(?:custom$|bash_|text_editor_|computer_|memory_)/;

export const isServerTool = (tool: unknown): boolean => {
  const type = textAt(tool, 'type');
  return isObject(tool) && type !== '' && !clientTool.test(type);
};

export const findServerTools = (body: JsonObject): readonly string[] =>
  listAt(body, 'tools')
    .filter(isServerTool)
    .map((tool) => textAt(tool, 'type'));

export function withoutServerTools(body: JsonObject): JsonObject | undefined {
  const tools = listAt(body, 'tools');
  const own = tools.filter((tool) => !isServerTool(tool));
  const choice = objectAt(body, 'tool_choice');
  const isDemanded =
    choice['type'] === 'tool' && tools.some((tool) => isServerTool(tool) && textAt(tool, 'name') === choice['name']);
  if (isDemanded || (choice['type'] === 'any' && own.length === 0)) return undefined;
  return own.length > 0 ? { tools: own } : { tools: undefined, tool_choice: undefined };
}
