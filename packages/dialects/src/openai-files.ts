import type { Attachment } from './dialect.ts';
import { isObject, type JsonObject } from './json-fields.ts';
import { isMeasuredSound } from './sound-length.ts';

/** By its address, which may hold it. Some take other files under the name of a picture. */
export function pictureAt(image: unknown): Attachment {
  const url = isObject(image) ? image['url'] : image;
  if (typeof url !== 'string' || !isDataUrl(url)) return { kind: 'image', characters: 0 };
  return { kind: /^data:image\//i.test(url) ? 'image' : 'unmeasured', characters: url.length };
}

export function soundIn(sound: unknown): Attachment {
  const { data, format } = isObject(sound) ? sound : ({} as JsonObject);
  if (typeof data !== 'string' || pointsAway(data)) return { kind: 'elsewhere' };
  const isMeasured = (format === 'wav' || format === 'mp3') && isMeasuredSound(data);
  return { kind: isMeasured ? 'sound' : 'unmeasured', characters: data.length };
}

/** Of a part of whatever type: the file that it points at, or that it holds; undefined when there is none. */
export function fileIn(part: JsonObject, isFile: boolean): Attachment | undefined {
  if (pointsAway(part)) return { kind: 'elsewhere' };
  const characters = charactersIn(part, isFile);
  return isFile || characters > 0 ? { kind: 'unmeasured', characters } : undefined;
}

/** Some text in it is an address, or the number of a file that is kept elsewhere. */
function pointsAway(value: unknown, name = ''): boolean {
  if (typeof value === 'string') return /_?id$/i.test(name) || /^(?:https?|gs|oss|s3|file):/i.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, field]) => pointsAway(field, key));
}

/** Of the files in it; of all that a file says, also where it is not known for one. */
function charactersIn(value: unknown, isFile: boolean): number {
  if (typeof value === 'string') return isFile || isDataUrl(value) ? value.length : 0;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, field) => sum + charactersIn(field, isFile), 0);
}

const isDataUrl = (text: string): boolean => /^data:/i.test(text);
