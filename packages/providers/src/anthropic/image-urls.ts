import { isObject, type JsonObject, listAt, objectAt, textAt } from '@headgate/dialects';
import type { InlineImages } from '../provider.ts';

/** Images by URL in Anthropic's format, for hosts of Claude that do not fetch them. */
export const imagesByUrl: InlineImages = {
  urlsIn: (body) => listAt(body, 'messages').flatMap((message) => blocksIn(message).flatMap(addressOf)),
  withImages: (body, images) => ({
    messages: listAt(body, 'messages').map((message) => withContent(message, (block) => inlined(block, images))),
  }),
};

type Images = Parameters<InlineImages['withImages']>[1];

/** Tool results contain images as well. */
const blocksIn = (holder: unknown): readonly unknown[] =>
  listAt(holder, 'content').flatMap((block) => (isResult(block) ? blocksIn(block) : [block]));

const isResult = (block: unknown): boolean => textAt(block, 'type') === 'tool_result';

function addressOf(block: unknown): readonly string[] {
  const source = objectAt(block, 'source');
  return textAt(block, 'type') === 'image' && textAt(source, 'type') === 'url' ? [textAt(source, 'url')] : [];
}

function withContent(holder: unknown, change: (block: unknown) => unknown): unknown {
  if (!isObject(holder) || !Array.isArray(holder['content'])) return holder;
  return { ...holder, content: holder['content'].map(change) };
}

function inlined(block: unknown, images: Images): unknown {
  if (isResult(block)) return withContent(block, (inner) => inlined(inner, images));
  const image = images.get(addressOf(block)[0] ?? '');
  if (!image) return block;
  const source: JsonObject = { type: 'base64', media_type: image.mediaType, data: image.data };
  return { ...(block as JsonObject), source };
}
