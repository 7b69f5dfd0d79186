import type { Attachment } from '../dialect.ts';
import { isObject, type JsonObject } from '../json-fields.ts';

/** Parts that are text and nothing else. */
const textTypes: ReadonlySet<unknown> = new Set([
  undefined,
  'text',
  'input_text',
  'output_text',
  'refusal',
  'thinking',
]);

/** What a part of a message holds that is no text; what is not known counts as text, by its bytes. */
export function attachmentOf(part: JsonObject): Attachment | undefined {
  const { type } = part;
  if (textTypes.has(type)) return undefined;
  if (type === 'image_url' || type === 'input_image') return pictureOf(part['image_url']);
  if (type === 'input_audio') return soundOf(part['input_audio']);
  if (pointsAway(part)) return { kind: 'elsewhere' };
  return type === 'file' || type === 'input_file' ? { kind: 'pages' } : undefined;
}

function pictureOf(image: unknown): Attachment {
  const url = isObject(image) ? image['url'] : image;
  const isInline = typeof url === 'string' && url.startsWith('data:image/');
  return { kind: 'image', characters: isInline ? url.length : 0 };
}

function soundOf(sound: unknown): Attachment | undefined {
  const { data, format } = isObject(sound) ? sound : ({} as JsonObject);
  if (typeof data !== 'string' || pointsAway(data)) return { kind: 'elsewhere' };
  return format === 'wav' || format === 'mp3' ? { kind: 'sound', characters: data.length } : undefined;
}

/** Some text in it is an address, or the number of a file that is kept elsewhere. */
function pointsAway(value: unknown, name = ''): boolean {
  if (typeof value === 'string') return /_?id$/i.test(name) || /^(?:https?|gs|oss|s3|file):/i.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, field]) => pointsAway(field, key));
}
