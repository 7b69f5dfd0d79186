import type { JsonObject } from '../json-fields.ts';
import { type StoredFile, storedFileAt, systemFileAt, systemFileIn } from '../stored-files.ts';
import { listAt, textAt } from '../upstream-fields.ts';
import { isServerTool } from './server-tools.ts';

export function storedFileIn(body: JsonObject, allowed: readonly string[]): StoredFile | undefined {
  const spoken = systemFileAt(body['system'], 'system', allowed);
  if (spoken) return spoken;
  for (const [index, message] of listAt(body, 'messages').entries()) {
    const said = systemFileIn(message, allowed);
    if (said) return { name: said.name, place: `messages[${index}]${said.place}` };
    const found = storedIn(listAt(message, 'content'), `messages[${index}].content`, allowed);
    if (found) return found;
  }
  const tools = listAt(body, 'tools').map((tool) => (isServerTool(tool) ? tool : undefined));
  return storedIn(tools, 'tools', allowed);
}

function storedIn(list: readonly unknown[], at: string, allowed: readonly string[]): StoredFile | undefined {
  for (const [index, block] of list.entries()) {
    const found = isServerToolResult(block) ? undefined : storedFileAt(block, `${at}[${index}]`, allowed);
    if (found) return found;
  }
  return undefined;
}

/**
 * Results of Anthropic's own tools (`bash_code_execution_tool_result` and similar) reference files that the model
 * does not read again. A fetched page contains a document, which it reads.
 */
function isServerToolResult(block: unknown): boolean {
  const type = textAt(block, 'type');
  return type.endsWith('_tool_result') && type !== 'web_fetch_tool_result';
}
