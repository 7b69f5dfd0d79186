import type { ContentPart } from '../chat/content-part.ts';
import { type JsonObject, objectOf, optionalText, requiredText } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { fieldOf } from './field-spelling.ts';

const mediaType = /^[a-z]+\/[a-z0-9.+-]+(?:;[a-z0-9=;."+ -]*)?$/;

/** An image, audio or file embedded in the request. */
export function readInlineData(value: unknown, at: string): ContentPart {
  const blob = objectOf(value, at);
  const type = requiredText(fieldOf(blob, 'mimeType', at), `${at}.mimeType`).toLowerCase();
  if (!mediaType.test(type)) throw new RequestProblem(`${at}.mimeType`, `${at}.mimeType is not a media type`);
  const data = standardBase64(requiredText(blob['data'], `${at}.data`));
  const [kind = '', format = ''] = type.split('/');
  const [plainType = ''] = type.split(';');
  if (kind === 'image') return { type: 'image', image: { mediaType: plainType, data } };
  if (kind === 'audio') return { type: 'audio', data, format: usualFormats[format] ?? format };
  const name = optionalText(fieldOf(blob, 'displayName', at), `${at}.displayName`) ?? '';
  return { type: 'file', name, data: `data:${plainType};base64,${data}` };
}

/** Converts to the standard base64 alphabet: Google accepts two alphabets, other providers one. */
const standardBase64 = (data: string) =>
  data.includes('-') || data.includes('_') ? data.replaceAll('-', '+').replaceAll('_', '/') : data;

const usualFormats: Readonly<Record<string, string>> = { mpeg: 'mp3', 'x-wav': 'wav', wave: 'wav' };

/** An image by URL. Only Google can fetch other files by URI. */
export function readFileData(value: unknown, at: string): ContentPart {
  const file = objectOf(value, at);
  const url = fileUri(file, at);
  const type = optionalText(fieldOf(file, 'mimeType', at), `${at}.mimeType`) ?? '';
  if (/^https?:\/\//i.test(url) && type.toLowerCase().startsWith('image/')) return { type: 'image', image: { url } };
  throw new RequestProblem(`${at}.fileUri`, `${at}.fileUri must be the HTTP URL of an image, with its mimeType`);
}

export const fileUri = (file: JsonObject, at: string): string =>
  requiredText(fieldOf(file, 'fileUri', at), `${at}.fileUri`);
