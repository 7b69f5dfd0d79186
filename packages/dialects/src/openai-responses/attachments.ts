import type { Attachment } from '../dialect.ts';
import type { JsonObject } from '../json-fields.ts';
import { audioIn, fileIn, imageAt } from '../openai-files.ts';
import { textAt } from '../upstream-fields.ts';

/** Non-text content of an item or a part. */
export function attachmentOf(part: JsonObject): Attachment | undefined {
  const type = textAt(part, 'type');
  switch (type) {
    case '':
      // A message, or a reference to a stored item.
      return part['role'] == null && part['id'] != null ? { kind: 'named' } : undefined;
    case 'input_text':
      return undefined;
    case 'input_image':
    case 'computer_screenshot':
      return imageAt(part['image_url']);
    case 'image_generation_call':
      return { kind: 'image', characters: textAt(part, 'result').length };
    case 'input_audio':
      return audioIn(part['input_audio']);
    case 'item_reference':
      return { kind: 'named' };
    default:
      return type.startsWith('input_') ? fileIn(part, type === 'input_file') : undefined;
  }
}
