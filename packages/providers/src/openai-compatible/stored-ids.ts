import { isObject, textAt } from '@headgate/dialects';
import type { StoredIds } from '../provider.ts';

/** Maximum number of item ids per response. A response with more items can only be continued as a whole. */
export const maxStoredItems = 256;

/** Items with the model's text, reasoning or calls. */
const modelOutputTypes: ReadonlySet<string> = new Set(['message', 'reasoning', 'function_call', 'custom_tool_call']);

/**
 * Ids under which OpenAI stores a response and its items; undefined if the response is not stored, although it has
 * ids.
 */
export function storedIdsOf(response: unknown, output: readonly unknown[]): StoredIds | undefined {
  const id = isObject(response) && response['store'] !== false ? textAt(response, 'id') : '';
  if (id === '') return undefined;
  const items = output.slice(0, maxStoredItems);
  return {
    id,
    items: [...new Set(items.map((item) => textAt(item, 'id')))].filter((item) => item !== ''),
    images: output.filter((item) => textAt(item, 'type') === 'image_generation_call').length,
    isModelOutput: output.every((item) => modelOutputTypes.has(textAt(item, 'type'))),
  };
}
