import type { ImagePart } from './chat/chat-message.ts';
import { readDataUrl } from './data-url.ts';
import { RequestProblem } from './problems.ts';

/** Reads an image from an HTTP or `data:` URL. */
export function readImage(url: string, at: string): ImagePart['image'] {
  const inline = readDataUrl(url);
  if (inline) return inline;
  if (/^https?:\/\//i.test(url)) return { url };
  throw new RequestProblem(at, `${at} must be an HTTP URL or a base64 data URL`);
}
