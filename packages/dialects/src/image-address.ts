import type { ImagePart } from './chat/content-part.ts';
import { readDataUrl } from './data-url.ts';
import { RequestProblem } from './problems.ts';

/** A picture by its address, or inside of it. */
export function readImage(url: string, at: string): ImagePart['image'] {
  const inline = readDataUrl(url);
  if (inline) return inline;
  if (/^https?:\/\//i.test(url)) return { url };
  throw new RequestProblem(at, `${at} must be an http address or a base64 data URL`);
}
