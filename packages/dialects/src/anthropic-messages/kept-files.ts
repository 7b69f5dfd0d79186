import type { JsonObject } from '../json-fields.ts';
import { type KeptFile, keptFileAt } from '../kept-files.ts';
import { listAt, textAt } from '../upstream-fields.ts';
import { isServerTool } from './server-tools.ts';

export function keptFileIn(body: JsonObject, allowed: readonly string[]): KeptFile | undefined {
  for (const [index, message] of listAt(body, 'messages').entries()) {
    const found = keptIn(listAt(message, 'content'), `messages[${index}].content`, allowed);
    if (found) return found;
  }
  const tools = listAt(body, 'tools').map((tool) => (isServerTool(tool) ? tool : undefined));
  return keptIn(tools, 'tools', allowed);
}

function keptIn(list: readonly unknown[], at: string, allowed: readonly string[]): KeptFile | undefined {
  for (const [index, block] of list.entries()) {
    const found = isToldByServer(block) ? undefined : keptFileAt(block, `${at}[${index}]`, allowed);
    if (found) return found;
  }
  return undefined;
}

/** What Anthropic's own tools told names files that nobody reads again: `bash_code_execution_tool_result` and the like. */
const isToldByServer = (block: unknown): boolean => textAt(block, 'type').endsWith('_tool_result');
