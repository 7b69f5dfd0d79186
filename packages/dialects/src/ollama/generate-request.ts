import { type JsonObject, optionalText } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';

/** Fields without an equivalent in chats that would change the response if ignored. */
const unsupportedFields = ['template', 'context', 'raw'] as const;

const isNothing = (value: unknown): boolean =>
  value == null || value === '' || value === false || (Array.isArray(value) && value.length === 0);

/** Converts `/api/generate` to a chat with one message; without a prompt there are no messages. */
export function generateToChat(body: JsonObject): JsonObject {
  if (body['messages'] !== undefined) return body;
  for (const name of unsupportedFields) {
    if (!isNothing(body[name])) throw new RequestProblem(name, `${name} is not supported`);
  }
  const { prompt, system, images, ...rest } = body;
  const asked = optionalText(prompt, 'prompt') ?? '';
  if (asked === '') return { ...rest, messages: [] };
  const instruction = optionalText(system, 'system') ?? '';
  const question = { role: 'user', content: asked, ...(images != null && { images }) };
  return {
    ...rest,
    messages: [...(instruction === '' ? [] : [{ role: 'system', content: instruction }]), question],
  };
}
