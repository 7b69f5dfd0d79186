import type { Attachment } from '../dialect.ts';
import type { JsonObject } from '../json-fields.ts';
import { audioIn, fileIn, imageAt } from '../openai-files.ts';

/** Text-only part types. */
const textTypes: ReadonlySet<unknown> = new Set([
  undefined,
  'text',
  'input_text',
  'output_text',
  'refusal',
  'thinking',
]);

/** Non-text content of a message part; unknown parts count as text by their bytes. */
export function attachmentOf(part: JsonObject): Attachment | undefined {
  const { type } = part;
  if (textTypes.has(type)) return undefined;
  if (type === 'image_url' || type === 'input_image') return imageAt(part['image_url']);
  if (type === 'input_audio') return audioIn(part['input_audio']);
  return fileIn(part, type === 'file' || type === 'input_file');
}
