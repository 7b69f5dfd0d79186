import { type JsonObject, textOrNone } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';

/** What a chat has no words for, and whose absence would change the answer. */
const untold = ['template', 'context', 'raw'] as const;

const isNothing = (value: unknown): boolean =>
  value == null || value === '' || value === false || (Array.isArray(value) && value.length === 0);

/** `/api/generate` as the chat of one question that it is; without a prompt there is nothing to say, whatever else there is. */
export function chatOfGenerate(body: JsonObject): JsonObject {
  if (body['messages'] !== undefined) return body;
  for (const name of untold) {
    if (!isNothing(body[name])) throw new RequestProblem(name, `${name} is not supported`);
  }
  const { prompt, system, images, ...rest } = body;
  const asked = textOrNone(prompt, 'prompt') ?? '';
  if (asked === '') return { ...rest, messages: [] };
  const instruction = textOrNone(system, 'system') ?? '';
  const question = { role: 'user', content: asked, ...(images != null && { images }) };
  return {
    ...rest,
    messages: [...(instruction === '' ? [] : [{ role: 'system', content: instruction }]), question],
  };
}
