import type { ChatMessage, ChatRequest, ContentPart } from '@headgate/providers';
import { RelayError } from './relay-error.ts';
import type { PublicFetch } from './upstream-fetch.ts';

const mostImages = 20;
/** Of one request: all of it is held in memory, and grows by a third when it is written. */
const mostBytes = 40 * 1024 * 1024;

/** The same request with its pictures in it; each address is fetched once. */
export async function inlineImages(request: ChatRequest, fetcher: PublicFetch): Promise<ChatRequest> {
  const urls = new Set(request.messages.flatMap((message) => partsOf(message).flatMap((part) => urlOf(part) ?? [])));
  if (urls.size === 0) return request;
  if (urls.size > mostImages) {
    throw new RelayError(400, `A request may point at ${mostImages} images at most`, null, 'invalid_request_error');
  }
  const allowance = { bytes: mostBytes };
  const fetched = new Map(
    await Promise.all([...urls].map(async (url) => [url, await fetcher.image(url, allowance)] as const)),
  );
  const inline = (part: ContentPart): ContentPart => {
    const image = fetched.get(urlOf(part) ?? '');
    if (!image || part.type !== 'image') return part;
    return { ...part, image: { mediaType: image.mediaType, data: image.bytes.toString('base64') } };
  };
  return {
    ...request,
    messages: request.messages.map((message) =>
      message.role === 'user' ? { ...message, parts: message.parts.map(inline) } : message,
    ),
  };
}

const partsOf = (message: ChatMessage) => (message.role === 'user' ? message.parts : []);

const urlOf = (part: ContentPart): string | undefined =>
  part.type === 'image' && 'url' in part.image ? part.image.url : undefined;
