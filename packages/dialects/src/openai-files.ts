import { isMeasurableAudio } from './audio-length.ts';
import type { Attachment } from './dialect.ts';
import { isObject, type JsonObject } from './json-fields.ts';

/** An image by URL or `data:` URL. Some upstreams accept other files in image parts. */
export function readImagePart(image: unknown): Attachment {
  const url = isObject(image) ? image['url'] : image;
  if (typeof url !== 'string' || !isDataUrl(url)) return { kind: 'image', characters: 0 };
  return { kind: /^data:image\//i.test(url) ? 'image' : 'unmeasured', characters: url.length };
}

export function readAudioPart(audio: unknown): Attachment {
  const { data, format } = isObject(audio) ? audio : ({} as JsonObject);
  if (typeof data !== 'string' || isExternalReference(data)) return { kind: 'elsewhere' };
  const isMeasured = (format === 'wav' || format === 'mp3') && isMeasurableAudio(data);
  return { kind: isMeasured ? 'sound' : 'unmeasured', characters: data.length };
}

/** File that a part of any type references or contains; undefined without a file. */
export function readFilePart(part: JsonObject, isFile: boolean): Attachment | undefined {
  if (isExternalReference(part)) return { kind: 'elsewhere' };
  const characters = charactersIn(part, isFile);
  return isFile || characters > 0 ? { kind: 'unmeasured', characters } : undefined;
}

/** True if a value contains a URL or a file id. */
function isExternalReference(value: unknown, name = ''): boolean {
  if (typeof value === 'string') return /_?id$/i.test(name) || /^(?:https?|gs|oss|s3|file):/i.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, field]) => isExternalReference(field, key));
}

/** Total length of the files in a value; of all strings if the value is a file, even of an unknown kind. */
function charactersIn(value: unknown, isFile: boolean): number {
  if (typeof value === 'string') return isFile || isDataUrl(value) ? value.length : 0;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, field) => sum + charactersIn(field, isFile), 0);
}

const isDataUrl = (text: string): boolean => /^data:/i.test(text);
