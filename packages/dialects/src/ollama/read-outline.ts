import type { RequestOutline } from '../dialect.ts';
import { isObject, type JsonObject, numberOf } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { objectAt } from '../upstream-fields.ts';

const maxTokens = 10_000_000;

export function readOutline(body: JsonObject): RequestOutline {
  const { model = '', options, think } = body;
  if (typeof model !== 'string') throw new RequestProblem('model', 'model is required');
  if (options != null && !isObject(options)) throw new RequestProblem('options', 'options must be an object');
  return {
    model,
    isStream: isStreamed(body),
    wantsUsage: true,
    completionLimit: outputLimitIn(body),
    choiceCount: 1,
    tries: 1,
    mayGrowPrompt: false,
    hasTools: body['tools'] != null,
    repeatsPrompt: false,
    summarizesFirst: false,
    thinking: { isOn: think == null ? undefined : think !== false },
  };
}

/** Ollama streams by default. */
export function isStreamed({ stream }: JsonObject): boolean {
  if (stream == null || typeof stream === 'boolean') return stream !== false;
  throw new RequestProblem('stream', 'stream is invalid');
}

/** A negative value means no limit. */
export function outputLimitIn(body: JsonObject): number | undefined {
  const name = 'options.num_predict';
  const limit = numberOf(objectAt(body, 'options')['num_predict'], name);
  if (limit === undefined || limit === -1 || limit === -2) return undefined;
  if (!Number.isInteger(limit) || limit < 0 || limit > maxTokens) throw new RequestProblem(name, `${name} is invalid`);
  return limit === 0 ? undefined : limit;
}
