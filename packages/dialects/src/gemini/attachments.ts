import type { Attachment } from '../dialect.ts';
import { isObject, type JsonObject } from '../json-fields.ts';
import { isMeasuredAudio } from '../measured-audio.ts';
import { textAt } from '../upstream-fields.ts';

/** Formats with a minimum number of bytes per second. */
const measuredSound = /^audio\/(?:x-)?(?:wav|wave|mp3|mpeg)\b/;

/** Non-text content of a part, in either spelling. Unknown or ambiguous content counts as text by its bytes. */
export function attachmentOf(part: JsonObject): Attachment | undefined {
  if (isObject(part['fileData'] ?? part['file_data'])) return { kind: 'elsewhere' };
  const blob = part['inlineData'] ?? part['inline_data'];
  if (!isObject(blob) || part['text'] !== undefined) return undefined;
  const type = (textAt(blob, 'mimeType') || textAt(blob, 'mime_type')).toLowerCase();
  const data = textAt(blob, 'data');
  const characters = data.length;
  if (type.startsWith('image/')) return { kind: 'image', characters };
  return { kind: measuredSound.test(type) && isMeasuredAudio(data) ? 'sound' : 'unmeasured', characters };
}
