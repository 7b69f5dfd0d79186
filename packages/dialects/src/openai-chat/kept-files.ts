import type { JsonObject } from '../json-fields.ts';
import { type KeptFile, keptFileAt } from '../kept-files.ts';
import { listAt, objectAt, textAt } from '../upstream-fields.ts';

/** Also in what is embedded or moderated, which some take as parts. */
export function keptFileIn(body: JsonObject, allowed: readonly string[]): KeptFile | undefined {
  for (const [index, message] of listAt(body, 'messages').entries()) {
    const found = keptByMessage(message, `messages[${index}]`, allowed);
    if (found) return found;
  }
  for (const [index, tool] of listAt(body, 'tools').entries()) {
    const found = clientTools.has(textAt(tool, 'type')) ? undefined : keptFileAt(tool, `tools[${index}]`, allowed);
    if (found) return found;
  }
  return typeof body['input'] === 'object' ? keptFileAt(body['input'], 'input', allowed) : undefined;
}

function keptByMessage(message: unknown, at: string, allowed: readonly string[]): KeptFile | undefined {
  // An earlier answer in sound, by its number.
  if (textAt(objectAt(message, 'audio'), 'id') !== '' && !allowed.includes('audio_id'))
    return { name: 'audio_id', place: `${at}.audio.id` };
  const content = (message as JsonObject | null)?.['content'];
  if (typeof content !== 'string') return keptFileAt(content, `${at}.content`, allowed);
  // Alibaba takes the numbers of files as words.
  const isFile = textAt(message, 'role') === 'system' && content.includes('fileid://');
  return isFile && !allowed.includes('file_id') ? { name: 'file_id', place: `${at}.content` } : undefined;
}

const clientTools: ReadonlySet<string> = new Set(['', 'function', 'custom']);
