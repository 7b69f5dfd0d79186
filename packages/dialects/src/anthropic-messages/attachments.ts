import type { Attachment } from '../dialect.ts';
import { isObject, type JsonObject } from '../json-fields.ts';
import { textAt } from '../upstream-fields.ts';

/** Sources whose text is in the request and counted by its bytes. */
const wordSources: ReadonlySet<unknown> = new Set([undefined, 'text', 'content']);

/** Whether a source declared as an image has another media type. */
const isOtherFile = (source: JsonObject): boolean => {
  const mediaType = textAt(source, 'media_type');
  return mediaType !== '' && !mediaType.startsWith('image/');
};

/** Non-text content of a block. */
export function attachmentOf({ type, source }: JsonObject): Attachment | undefined {
  if (type === 'container_upload') return { kind: 'elsewhere' };
  if (!isObject(source) || wordSources.has(source['type'])) return undefined;
  const isInside = source['type'] === 'base64';
  const characters = isInside ? textAt(source, 'data').length : 0;
  if (type === 'image' && !isOtherFile(source)) return { kind: 'image', characters };
  return isInside ? { kind: 'unmeasured', characters } : { kind: 'elsewhere' };
}
