import { type ChatRequest, imageUrlsIn, withInlineImages } from '@headgate/dialects';
import type { PassThrough } from '@headgate/providers';
import { RelayError } from '../ports/relay-error.ts';
import { stringify } from '../request/long-strings.ts';
import type { RelayRequest } from '../request/read-request.ts';
import type { FetchedImages } from './fetched-images.ts';

const mostImages = 20;

/** The same request with the pictures it points at in it. */
export async function inlineImages(request: ChatRequest, images: FetchedImages): Promise<ChatRequest> {
  const urls = imageUrlsIn(request);
  return urls.size === 0 ? request : withInlineImages(request, await fetchEach(urls, images));
}

/** The same for a request that is passed on. */
export async function inlinePassed(
  request: RelayRequest,
  { images: pictures }: PassThrough,
  images: FetchedImages,
): Promise<RelayRequest> {
  const urls = new Set(pictures?.addressesIn(request.body));
  if (!pictures || urls.size === 0) return request;
  const body = { ...request.body, ...pictures.withImages(request.body, await fetchEach(urls, images)) };
  return { ...request, body, bytes: stringify(body, request.longStrings) };
}

async function fetchEach(urls: ReadonlySet<string>, images: FetchedImages) {
  if (urls.size > mostImages) {
    throw new RelayError(400, `A request may point at ${mostImages} images at most`, null, 'invalid_request_error');
  }
  return new Map(await Promise.all([...urls].map(async (url) => [url, await images.image(url)] as const)));
}
