import type { InlineData } from '../data-url.ts';
import type { ChatMessage } from './chat-message.ts';
import type { ChatRequest } from './chat-request.ts';
import type { ContentPart } from './content-part.ts';

/** The URL of each image that a request references; one that it references twice is there twice. */
export const imageUrlsIn = ({ messages }: ChatRequest): readonly string[] =>
  messages.flatMap((message) => partsOf(message).flatMap((part) => urlOf(part) ?? []));

/** The same request with these pictures, by their addresses, in it. */
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

/** Results of tools hold pictures as well. */
const mayShow = (message: ChatMessage) => message.role === 'user' || message.role === 'tool';

const urlOf = (part: ContentPart): string | undefined =>
  part.type === 'image' && 'url' in part.image ? part.image.url : undefined;
