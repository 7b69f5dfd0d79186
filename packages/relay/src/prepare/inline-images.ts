import { type ChatRequest, imageUrlsIn, withInlineImages } from '@headgate/dialects';
import type { PassThrough } from '@headgate/providers';
import { RelayError } from '../ports/relay-error.ts';
import { stringify } from '../request/long-strings.ts';
import type { RelayRequest } from '../request/read-request.ts';
import type { FetchedImages } from './fetched-images.ts';

/** Distinct images; each may be referenced more than once. */
const maxImages = 20;

/** The request with its referenced images embedded. */
export async function inlineImages(request: ChatRequest, images: FetchedImages): Promise<ChatRequest> {
  const urls = imageUrlsIn(request);
  return urls.length === 0 ? request : withInlineImages(request, await fetchEach(urls, images));
}

/** Like `inlineImages`, for a request that is passed through. */
export async function inlinePassThroughImages(
  request: RelayRequest,
  { images: pictures }: PassThrough,
  images: FetchedImages,
): Promise<RelayRequest> {
  const urls = pictures?.urlsIn(request.body) ?? [];
  if (!pictures || urls.length === 0) return request;
  const body = { ...request.body, ...pictures.withImages(request.body, await fetchEach(urls, images)) };
  return { ...request, body, bytes: stringify(body, request.longStrings) };
}

async function fetchEach(urls: readonly string[], images: FetchedImages) {
  const references = new Map<string, number>();
  for (const url of urls) {
    references.set(url, (references.get(url) ?? 0) + 1);
    if (references.size <= maxImages) continue;
    throw new RelayError(400, `A request may reference at most ${maxImages} images`, null, 'invalid_request_error');
  }
  const fetching = [...references].map(async ([url, count]) => [url, await images.image(url, count)] as const);
  return new Map(await Promise.all(fetching));
}
