import type { JsonObject } from '../json-fields.ts';
import { listAt, objectAt, textAt } from '../upstream-fields.ts';

/** Run by the client; what a group holds is looked at. */
const clientTools: ReadonlySet<string> = new Set(['function', 'custom', 'namespace', 'local_shell', 'apply_patch']);

const isServerTool = (tool: unknown): boolean =>
  !clientTools.has(textAt(tool, 'type')) || listAt(tool, 'tools').some(isServerTool);

export const serverToolsIn = (body: JsonObject): readonly string[] =>
  listAt(body, 'tools')
    .filter(isServerTool)
    .map((tool) => textAt(tool, 'type') || 'tool');

export function withoutServerTools(body: JsonObject): JsonObject | undefined {
  const own = listAt(body, 'tools').filter((tool) => !isServerTool(tool));
  const { tool_choice: choice } = body;
  if (isDemanded(objectAt(body, 'tool_choice')) || (choice === 'required' && own.length === 0)) return undefined;
  return own.length > 0 ? { tools: own } : { tools: undefined, tool_choice: undefined };
}

const isDemanded = (choice: JsonObject): boolean => {
  const kind = textAt(choice, 'type');
  if (kind === 'allowed_tools') return listAt(choice, 'tools').some(isServerTool);
  return kind !== '' && !clientTools.has(kind);
};
