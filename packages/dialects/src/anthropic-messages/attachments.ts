import type { Attachment } from '../dialect.ts';
import type { JsonObject } from '../json-fields.ts';
import { objectAt, textAt } from '../upstream-fields.ts';

/** What a block holds that is no text. A document inside the request counts by its bytes, as text does. */
export function attachmentOf(block: JsonObject): Attachment | undefined {
  const { type } = block;
  const source = objectAt(block, 'source');
  if (type === 'image' && source['type'] === 'base64')
    return { kind: 'image', characters: textAt(source, 'data').length };
  if (type === 'document' && source['type'] === 'base64') return { kind: 'pages' };
  if (type === 'image' && source['type'] === 'url') return { kind: 'image', characters: 0 };
  const isKeptElsewhere = source['type'] === 'url' || source['type'] === 'file' || type === 'container_upload';
  return isKeptElsewhere ? { kind: 'elsewhere' } : undefined;
}
