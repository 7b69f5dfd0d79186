import type { JsonObject, Upstream } from '../provider.ts';

/** Models that think refuse the limit's old name. */
const thinkingModel = /^(?:o\d|gpt-[5-9])/;

/** Gives the limit the only name that OpenAI's thinking models take. */
export function newLimitName(body: JsonObject, { model }: Upstream): JsonObject {
  if (body['max_tokens'] == null || !thinkingModel.test(model)) return {};
  return { max_tokens: undefined, max_completion_tokens: body['max_completion_tokens'] ?? body['max_tokens'] };
}

/** Gives the limit its old name, for providers that know no other and would ignore it. */
export function oldLimitName(body: JsonObject): JsonObject {
  if (body['max_completion_tokens'] == null) return {};
  return { max_completion_tokens: undefined, max_tokens: body['max_completion_tokens'] };
}
