import type { Attachment } from '../dialect.ts';
import { isObject, type JsonObject } from '../json-fields.ts';
import { textAt } from '../upstream-fields.ts';

/** Sources whose words stand in the request, and count by their bytes. */
const wordSources: ReadonlySet<unknown> = new Set([undefined, 'text', 'content']);

/** Whether what is called a picture says of itself that it is none. */
const isOtherFile = (source: JsonObject): boolean => {
  const mediaType = textAt(source, 'media_type');
  return mediaType !== '' && !mediaType.startsWith('image/');
};

/** What a block holds that is no text. */
export function attachmentOf({ type, source }: JsonObject): Attachment | undefined {
  if (type === 'container_upload') return { kind: 'elsewhere' };
  if (!isObject(source) || wordSources.has(source['type'])) return undefined;
  const isInside = source['type'] === 'base64';
  const characters = isInside ? textAt(source, 'data').length : 0;
  if (type === 'image' && !isOtherFile(source)) return { kind: 'image', characters };
  return isInside ? { kind: 'unmeasured', characters } : { kind: 'elsewhere' };
}
