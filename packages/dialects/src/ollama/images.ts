import type { ImagePart } from '../chat/content-part.ts';
import { readDataUrl } from '../data-url.ts';
import type { Attachment } from '../dialect.ts';
import { isObject, type JsonObject, listOf, requiredText } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';

/** An image in a message, distinguished from its texts. */
interface Picture {
  readonly image: string;
}

/** Converts images, which are bare strings in a message, to objects, so that they are not counted as text. */
export const withImageParts = (message: unknown): unknown =>
  isObject(message) && Array.isArray(message['images'])
    ? { ...message, images: message['images'].map((image) => (typeof image === 'string' ? { image } : image)) }
    : message;

export function attachmentOf({ image, role }: JsonObject): Attachment | undefined {
  if (role !== undefined || typeof image !== 'string') return undefined;
  return { kind: isOtherFile(image) ? 'unmeasured' : 'image', characters: image.length };
}

/** Whether the media type is not an image. */
const isOtherFile = (image: string): boolean => /^data:(?!image\/)/i.test(image);

export const readImages = (images: unknown, at: string): readonly ImagePart[] =>
  images == null ? [] : listOf(images, at).map((image, index) => readPicture(image, `${at}[${index}]`));

function readPicture(value: unknown, at: string): ImagePart {
  const text = requiredText(isObject(value) ? (value as Partial<Picture>).image : value, at);
  if (isOtherFile(text)) throw new RequestProblem(at, `${at} must be an image`);
  const inline = readDataUrl(text);
  if (inline) return { type: 'image', image: inline };
  const mediaType = beginnings.find(([beginning]) => text.startsWith(beginning))?.[1];
  if (mediaType === undefined) throw new RequestProblem(at, `${at} must be a base64 PNG, JPEG, GIF or WebP image`);
  return { type: 'image', image: { mediaType, data: text } };
}

/** Base64 prefixes of image formats. */
const beginnings: readonly (readonly [beginning: string, mediaType: string])[] = [
  ['iVBOR', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lG', 'image/gif'],
  ['UklGR', 'image/webp'],
];
