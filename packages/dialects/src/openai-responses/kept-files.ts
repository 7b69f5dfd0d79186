import type { JsonObject } from '../json-fields.ts';
import { type KeptFile, keptFileAt, spokenBySystem, spokenFileAt } from '../kept-files.ts';
import { listAt, objectAt } from '../upstream-fields.ts';
import { isServerTool } from './server-tools.ts';

/** Fields with parts: of a message, or of a tool result. */
const partFields = ['content', 'output'] as const;

export function keptFileIn(body: JsonObject, allowed: readonly string[]): KeptFile | undefined {
  const first = keptByTool(body, 'tools', allowed) ?? spokenFileAt(body['instructions'], 'instructions', allowed);
  if (first) return first;
  for (const [index, item] of listAt(body, 'input').entries()) {
    const at = `input[${index}]`;
    const said = spokenBySystem(item, allowed);
    if (said) return { name: said.name, place: at + said.place };
    for (const name of partFields) {
      const found = keptFileAt((item as JsonObject | null)?.[name], `${at}.${name}`, allowed);
      if (found) return found;
    }
    const found = keptByTool(item, `${at}.tools`, allowed);
    if (found) return found;
  }
  return keptFileAt(objectAt(body, 'tool_choice'), 'tool_choice', allowed);
}

function keptByTool(holder: unknown, at: string, allowed: readonly string[]): KeptFile | undefined {
  for (const [index, tool] of listAt(holder, 'tools').entries()) {
    const found = isServerTool(tool) ? keptFileAt(tool, `${at}[${index}]`, allowed) : undefined;
    if (found) return found;
  }
  return undefined;
}
