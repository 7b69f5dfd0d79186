import type { ChatMessage, ChatRequest, ContentPart } from '@headgate/dialects';
import { RelayError } from '../ports/relay-error.ts';
import type { FetchedImages } from './fetched-images.ts';

const mostImages = 20;

/** The same request with its pictures in it. */
export async function inlineImages(request: ChatRequest, images: FetchedImages): Promise<ChatRequest> {
  const urls = new Set(request.messages.flatMap((message) => partsOf(message).flatMap((part) => urlOf(part) ?? [])));
  if (urls.size === 0) return request;
  if (urls.size > mostImages) {
    throw new RelayError(400, `A request may point at ${mostImages} images at most`, null, 'invalid_request_error');
  }
  const fetched = new Map(await Promise.all([...urls].map(async (url) => [url, await images.image(url)] as const)));
  const inline = (part: ContentPart): ContentPart => {
    const image = fetched.get(urlOf(part) ?? '');
    if (!image || part.type !== 'image') return part;
    return { ...part, image };
  };
  return {
    ...request,
    messages: request.messages.map((message) =>
      mayShow(message) ? { ...message, parts: message.parts.map(inline) } : message,
    ),
  };
}

const partsOf = (message: ChatMessage) => (mayShow(message) ? message.parts : []);

/** Results of tools hold pictures as well. */
const mayShow = (message: ChatMessage) => message.role === 'user' || message.role === 'tool';

const urlOf = (part: ContentPart): string | undefined =>
  part.type === 'image' && 'url' in part.image ? part.image.url : undefined;
