import type { InlineData } from '../data-url.ts';
import type { ChatMessage } from './chat-message.ts';
import type { ChatRequest } from './chat-request.ts';
import type { ContentPart } from './content-part.ts';

/** URL of each image that a request references; repeated references are listed each time. */
export const imageUrlsIn = ({ messages }: ChatRequest): readonly string[] =>
  messages.flatMap((message) => partsOf(message).flatMap((part) => urlOf(part) ?? []));

/** Returns the request with these images, by URL, embedded. */
export function withInlineImages(request: ChatRequest, images: ReadonlyMap<string, InlineData>): ChatRequest {
  const inline = (part: ContentPart): ContentPart => {
    const image = images.get(urlOf(part) ?? '');
    return image && part.type === 'image' ? { ...part, image } : part;
  };
  const messages = request.messages.map((message) =>
    mayShow(message) ? { ...message, parts: message.parts.map(inline) } : message,
  );
  return { ...request, messages };
}

const partsOf = (message: ChatMessage) => (mayShow(message) ? message.parts : []);

/** Tool results contain images as well. */
const mayShow = (message: ChatMessage) => message.role === 'user' || message.role === 'tool';

const urlOf = (part: ContentPart): string | undefined =>
  part.type === 'image' && 'url' in part.image ? part.image.url : undefined;
