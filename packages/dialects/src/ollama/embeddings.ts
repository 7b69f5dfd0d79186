import type { JsonObject } from '../json-fields.ts';
import { listAt, numberAt, objectAt } from '../upstream-fields.ts';

/** Converts `/api/embed` to OpenAI's embeddings request. */
export const readEmbed = ({ model, input, dimensions }: JsonObject): JsonObject => ({
  model,
  input,
  encoding_format: 'float',
  ...(dimensions != null && { dimensions }),
});

/** Converts OpenAI's response to that of `/api/embed`. */
export function writeEmbed(reply: JsonObject): JsonObject {
  const rows = listAt(reply, 'data').toSorted(
    (one, other) => (numberAt(one, 'index') ?? 0) - (numberAt(other, 'index') ?? 0),
  );
  const tokens = numberAt(objectAt(reply, 'usage'), 'prompt_tokens');
  return {
    model: reply['model'],
    embeddings: rows.map((row) => listAt(row, 'embedding')),
    ...(tokens !== undefined && { prompt_eval_count: tokens }),
  };
}
