import { isObject, type JsonObject } from '../json-fields.ts';
import { listAt, objectAt, textAt } from '../upstream-fields.ts';

/** Tool types run by the client; namespaces are searched for more. */
const clientTools: ReadonlySet<string> = new Set(['function', 'custom', 'namespace', 'local_shell', 'apply_patch']);

export const isServerTool = (tool: unknown): boolean =>
  !clientTools.has(textAt(tool, 'type')) || listAt(tool, 'tools').some(isServerTool);

/** Provider tools in the request and in its input items. */
export const serverToolsIn = (body: JsonObject): readonly string[] =>
  [body, ...listAt(body, 'input')]
    .flatMap((holder) => listAt(holder, 'tools'))
    .filter(isServerTool)
    .map((tool) => textAt(tool, 'type') || 'tool');

export function withoutServerTools(body: JsonObject): JsonObject | undefined {
  const own = ownToolsIn(body);
  const { tool_choice: choice } = body;
  const input = listAt(body, 'input').map(withOwnTools);
  const isNone = own.length === 0 && input.every((item) => listAt(item, 'tools').length === 0);
  if (isDemanded(objectAt(body, 'tool_choice')) || (choice === 'required' && isNone)) return undefined;
  return {
    ...(own.length > 0 ? { tools: own } : { tools: undefined, ...(isNone && { tool_choice: undefined }) }),
    ...(Array.isArray(body['input']) && { input }),
  };
}

const ownToolsIn = (holder: unknown) => listAt(holder, 'tools').filter((tool) => !isServerTool(tool));

const withOwnTools = (item: unknown): unknown =>
  isObject(item) && Array.isArray(item['tools']) ? { ...item, tools: ownToolsIn(item) } : item;

const isDemanded = (choice: JsonObject): boolean => {
  const kind = textAt(choice, 'type');
  if (kind === 'allowed_tools') return listAt(choice, 'tools').some(isServerTool);
  return kind !== '' && !clientTools.has(kind);
};
