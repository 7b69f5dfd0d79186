import type { JsonObject } from '../json-fields.ts';
import { storedFileIn as keptIn, type StoredFile, storedFileAt, systemFileIn } from '../stored-files.ts';
import { listAt, objectAt, textAt } from '../upstream-fields.ts';

export function storedFileIn(body: JsonObject, allowed: readonly string[]): StoredFile | undefined {
  return Array.isArray(body['messages']) ? storedByChat(body, allowed) : storedByOtherInput(body, allowed);
}

/** Some upstreams accept parts in the input of embeddings, moderations, rankings and images. */
function storedByOtherInput({ input, ...rest }: JsonObject, allowed: readonly string[]): StoredFile | undefined {
  const found = typeof input === 'object' ? storedFileAt(input, 'input', allowed) : undefined;
  const beside = found ?? storedFileAt(rest, '', allowed);
  return beside && { ...beside, place: beside.place.replace(/^\./, '') };
}

function storedByChat(body: JsonObject, allowed: readonly string[]): StoredFile | undefined {
  for (const [index, message] of listAt(body, 'messages').entries()) {
    const found = storedByMessage(message, allowed);
    if (found) return { name: found.name, place: `messages[${index}]${found.place}` };
  }
  for (const [index, tool] of listAt(body, 'tools').entries()) {
    const found = clientTools.has(textAt(tool, 'type')) ? undefined : storedFileAt(tool, `tools[${index}]`, allowed);
    if (found) return found;
  }
  return undefined;
}

function storedByMessage(message: unknown, allowed: readonly string[]): StoredFile | undefined {
  // Reference to audio of an earlier response.
  if (textAt(objectAt(message, 'audio'), 'id') !== '' && !allowed.includes('audio_id'))
    return { name: 'audio_id', place: '.audio.id' };
  return systemFileIn(message, allowed) ?? keptIn(message, allowed);
}

const clientTools: ReadonlySet<string> = new Set(['', 'function', 'custom']);
