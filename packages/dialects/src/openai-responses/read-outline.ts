import { wantsSummary } from '../context-management.ts';
import type { PreviousResponse, ReasoningSettings, RequestAddress, RequestOutline } from '../dialect.ts';
import { booleanOf, type JsonObject } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { objectAt, textAt } from '../upstream-fields.ts';
import { wholeNumberIn } from '../whole-number.ts';
import { serverToolsIn } from './server-tools.ts';

const maxTokens = 10_000_000;

export function readOutline(body: JsonObject, address: RequestAddress): RequestOutline {
  const model = body['model'] ?? address.model ?? '';
  if (typeof model !== 'string') throw new RequestProblem('model', 'model is required');
  // A stored prompt in the operator's account may belong to another client, and background work cannot be charged.
  for (const name of ['prompt', 'background'])
    if (body[name]) throw new RequestProblem(name, `${name} is not supported`);
  const { input } = body;
  if (input != null && typeof input !== 'string' && !Array.isArray(input))
    throw new RequestProblem('input', 'input must be text or a list');
  return {
    model,
    isStream: address.isStream ?? booleanOf(body['stream'], 'stream') === true,
    wantsUsage: true,
    completionLimit: wholeNumberIn(body, 'max_output_tokens', 0, maxTokens) || undefined,
    choiceCount: 1,
    tries: 1,
    mayGrowPrompt: mayGrowPrompt(body),
    hasTools: body['tools'] != null,
    repeatsPrompt: false,
    summarizesFirst: wantsSummary(body),
    thinking: thinkingIn(objectAt(body, 'reasoning')),
    previousResponse: previousResponseIn(body),
    mayBeStored: body['store'] !== false,
    mayDropPrompt: (body['truncation'] ?? 'disabled') !== 'disabled',
  };
}

const previous = 'previous_response_id';

function previousResponseIn(body: JsonObject): PreviousResponse | undefined {
  const id = body[previous] ?? '';
  if (typeof id !== 'string') throw new RequestProblem(previous, `${previous} must be text`);
  if (id === '') return undefined;
  const message = `Previous response with id '${id.slice(0, maxIdLength)}' not found.`;
  return { id, field: previous, missing: { message, code: 'previous_response_not_found' } };
}

/** Maximum length of an id repeated in an error message. */
const maxIdLength = 100;

/** Whether data stored at OpenAI or results of its tools become part of the prompt. */
const mayGrowPrompt = (body: JsonObject): boolean => body['conversation'] != null || serverToolsIn(body).length > 0;

function thinkingIn(reasoning: JsonObject): ReasoningSettings {
  const effort = textAt(reasoning, 'effort');
  return { isOn: effort === '' ? undefined : effort !== 'none' };
}
