import { isObject, textAt } from '@headgate/dialects';
import type { KeptIds } from '../provider.ts';

/** Of one response. What has more is gone on from as a whole. */
export const mostItems = 256;

/** Items that hold what the model said, thought or called. */
const saidTypes: ReadonlySet<string> = new Set(['message', 'reasoning', 'function_call', 'custom_tool_call']);

/** Under which OpenAI keeps a response and its items; what was not to be stored has ids all the same. */
export function keptAs(response: unknown, output: readonly unknown[]): KeptIds | undefined {
  const id = isObject(response) && response['store'] !== false ? textAt(response, 'id') : '';
  if (id === '') return undefined;
  const items = output.slice(0, mostItems);
  return {
    id,
    items: [...new Set(items.map((item) => textAt(item, 'id')))].filter((item) => item !== ''),
    pictures: output.filter((item) => textAt(item, 'type') === 'image_generation_call').length,
    isSaid: output.every((item) => saidTypes.has(textAt(item, 'type'))),
  };
}
