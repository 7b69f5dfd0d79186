import type { JsonObject } from '@headgate/dialects';
import type { EndpointKind } from './endpoint-kinds.ts';

/** A text that a model reads once for each item of the input, such as the question of a ranking with each document. */
export interface ReadAgain {
  readonly text: string;
  readonly times: number;
}

export function readAgain(body: JsonObject, { input, readsAgain }: EndpointKind): ReadAgain | undefined {
  const text = readsAgain === undefined ? undefined : body[readsAgain];
  const items = body[input];
  return typeof text === 'string' && Array.isArray(items) ? { text, times: items.length } : undefined;
}
