import type { Attachment } from '../dialect.ts';
import { isObject, type JsonObject } from '../json-fields.ts';

/** What an item or a part of one holds that is no text. */
export function attachmentOf(part: JsonObject): Attachment | undefined {
  switch (part['type']) {
    case 'input_image':
      return pictureOf(part['image_url']);
    case 'input_audio':
      return soundOf(part['input_audio']);
    case 'input_file':
      return { kind: typeof part['file_data'] === 'string' ? 'pages' : 'elsewhere' };
    case 'item_reference':
      return { kind: 'elsewhere' };
    default:
      return undefined;
  }
}

const pictureOf = (url: unknown): Attachment => ({
  kind: 'image',
  characters: typeof url === 'string' && url.startsWith('data:') ? url.length : 0,
});

function soundOf(sound: unknown): Attachment {
  const data = isObject(sound) ? sound['data'] : undefined;
  return typeof data === 'string' ? { kind: 'sound', characters: data.length } : { kind: 'elsewhere' };
}
