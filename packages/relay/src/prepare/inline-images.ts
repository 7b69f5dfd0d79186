import { type ChatRequest, imageUrlsIn, withInlineImages } from '@headgate/dialects';
import { RelayError } from '../ports/relay-error.ts';
import type { FetchedImages } from './fetched-images.ts';

const mostImages = 20;

/** The same request with the pictures it points at in it. */
export async function inlineImages(request: ChatRequest, images: FetchedImages): Promise<ChatRequest> {
  const urls = imageUrlsIn(request);
  if (urls.size === 0) return request;
  if (urls.size > mostImages) {
    throw new RelayError(400, `A request may point at ${mostImages} images at most`, null, 'invalid_request_error');
  }
  const fetched = await Promise.all([...urls].map(async (url) => [url, await images.image(url)] as const));
  return withInlineImages(request, new Map(fetched));
}
