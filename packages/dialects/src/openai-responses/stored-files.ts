import type { JsonObject } from '../json-fields.ts';
import { type StoredFile, storedFileAt, systemFileAt, systemFileIn } from '../stored-files.ts';
import { listAt, objectAt } from '../upstream-fields.ts';
import { isServerTool } from './server-tools.ts';

/** Fields of a message or a tool result that contain parts. */
const partFields = ['content', 'output'] as const;

export function storedFileIn(body: JsonObject, allowed: readonly string[]): StoredFile | undefined {
  const first = storedByTool(body, 'tools', allowed) ?? systemFileAt(body['instructions'], 'instructions', allowed);
  if (first) return first;
  for (const [index, item] of listAt(body, 'input').entries()) {
    const at = `input[${index}]`;
    const said = systemFileIn(item, allowed);
    if (said) return { name: said.name, place: at + said.place };
    for (const name of partFields) {
      const found = storedFileAt((item as JsonObject | null)?.[name], `${at}.${name}`, allowed);
      if (found) return found;
    }
    const found = storedByTool(item, `${at}.tools`, allowed);
    if (found) return found;
  }
  return storedFileAt(objectAt(body, 'tool_choice'), 'tool_choice', allowed);
}

function storedByTool(holder: unknown, at: string, allowed: readonly string[]): StoredFile | undefined {
  for (const [index, tool] of listAt(holder, 'tools').entries()) {
    const found = isServerTool(tool) ? storedFileAt(tool, `${at}[${index}]`, allowed) : undefined;
    if (found) return found;
  }
  return undefined;
}
