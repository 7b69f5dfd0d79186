import type { JsonObject, Upstream } from '../provider.ts';

/** Reasoning models reject `max_tokens` and require `max_completion_tokens`. */
const thinkingModel = /^(?:o\d|gpt-[5-9])/;

/** Renames the limit to the only name that OpenAI's reasoning models accept. */
export function withNewLimitName(body: JsonObject, { model }: Upstream): JsonObject {
  if (body['max_tokens'] == null || !thinkingModel.test(model)) return {};
  return { max_tokens: undefined, max_completion_tokens: body['max_completion_tokens'] ?? body['max_tokens'] };
}

/** Renames the limit to its old name, for providers that would ignore the new one. */
export function withOldLimitName(body: JsonObject): JsonObject {
  if (body['max_completion_tokens'] == null) return {};
  return { max_completion_tokens: undefined, max_tokens: body['max_completion_tokens'] };
}
