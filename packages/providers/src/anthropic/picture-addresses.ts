import { isObject, type JsonObject, listAt, objectAt, textAt } from '@headgate/dialects';
import type { InlineImages } from '../provider.ts';

/** Pictures in Anthropic's words that stand in a request by their address, for those of Claude's hosts that fetch none. */
export const picturesByAddress: InlineImages = {
  addressesIn: (body) => listAt(body, 'messages').flatMap((message) => blocksIn(message).flatMap(addressOf)),
  withImages: (body, images) => ({
    messages: listAt(body, 'messages').map((message) => withContent(message, (block) => inlined(block, images))),
  }),
};

type Images = Parameters<InlineImages['withImages']>[1];

/** Results of tools hold pictures as well. */
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
