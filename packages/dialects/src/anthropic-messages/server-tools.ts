import { isObject, type JsonObject } from '../json-fields.ts';
import { listAt, objectAt, textAt } from '../upstream-fields.ts';

/** Tools defined by Anthropic and run by the client. */
const clientTool = /^(?:custom$|bash_|text_editor_|computer_|memory_)/;

export const isServerTool = (tool: unknown): boolean => {
  const type = textAt(tool, 'type');
  return isObject(tool) && type !== '' && !clientTool.test(type);
};

export const serverToolsIn = (body: JsonObject): readonly string[] =>
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
