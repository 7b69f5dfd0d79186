import type { ChatRequest, ResponseFormat } from '../chat/chat-request.ts';
import { booleanOf, type JsonObject, numberOf, objectOf, optionalText, requiredText } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { fieldOf, oneOrMore } from './field-spelling.ts';
import { readSchema } from './json-schema.ts';

const at = 'generationConfig';

export const configOf = (body: JsonObject): JsonObject => objectOf(fieldOf(body, at) ?? {}, at);

const configNumber = (config: JsonObject, name: string) => numberOf(fieldOf(config, name, at), `${at}.${name}`);

type ConfigFields = Pick<
  ChatRequest,
  | 'temperature'
  | 'topP'
  | 'topK'
  | 'frequencyPenalty'
  | 'presencePenalty'
  | 'seed'
  | 'stop'
  | 'responseFormat'
  | 'reasoningEffort'
  | 'reasoningBudget'
>;

export function readConfig(config: JsonObject): ConfigFields {
  const stop = fieldOf(config, 'stopSequences', at);
  return {
    temperature: configNumber(config, 'temperature'),
    topP: configNumber(config, 'topP'),
    topK: configNumber(config, 'topK'),
    frequencyPenalty: configNumber(config, 'frequencyPenalty'),
    presencePenalty: configNumber(config, 'presencePenalty'),
    seed: configNumber(config, 'seed'),
    stop: (typeof stop === 'string' ? [stop] : oneOrMore(stop, `${at}.stopSequences`)).map((text) =>
      requiredText(text, `${at}.stopSequences`),
    ),
    responseFormat: readFormat(config),
    ...readThinking(config),
  };
}

function readFormat(config: JsonObject): ResponseFormat | undefined {
  const type = optionalText(fieldOf(config, 'responseMimeType', at), `${at}.responseMimeType`)?.toLowerCase() ?? '';
  const given = schemaNames.map((name) => fieldOf(config, name, at)).filter((schema) => schema !== undefined);
  const [schema, another] = given;
  if (another !== undefined) throw new RequestProblem(`${at}.responseSchema`, `${at} contains more than one schema`);
  if (type !== '' && type !== 'application/json' && type !== 'text/plain') {
    const path = `${at}.responseMimeType`;
    throw new RequestProblem(path, `${path} must be text/plain or application/json`);
  }
  if (schema !== undefined)
    return { type: 'json_schema', name: 'answer', schema: readSchema(schema, `${at}.responseSchema`) };
  return type === 'application/json' ? { type: 'json_object' } : undefined;
}

const schemaNames = ['responseSchema', 'responseJsonSchema', '_responseJsonSchema'];

const thinkingOf = (config: JsonObject): JsonObject =>
  objectOf(fieldOf(config, 'thinkingConfig', at) ?? {}, `${at}.thinkingConfig`);

/**
 * A budget of 0 disables reasoning, and -1 leaves it to the model. Budgets are mapped to effort levels, which other
 * providers use.
 */
export function readThinking(config: JsonObject): Pick<ChatRequest, 'reasoningEffort' | 'reasoningBudget'> {
  const path = `${at}.thinkingConfig`;
  const thinking = thinkingOf(config);
  const budget = numberOf(fieldOf(thinking, 'thinkingBudget', path), `${path}.thinkingBudget`);
  const level = optionalText(fieldOf(thinking, 'thinkingLevel', path), `${path}.thinkingLevel`)?.toLowerCase();
  const isSaid = level !== undefined && level !== '' && level !== 'thinking_level_unspecified';
  return {
    reasoningEffort: isSaid ? level : effortFor(budget),
    reasoningBudget: budget !== undefined && budget > 0 ? budget : undefined,
  };
}

const littleBudget = 4096;
const middlingBudget = 16_384;

function effortFor(budget: number | undefined): string | undefined {
  if (budget === undefined || budget < 0) return undefined;
  if (budget === 0) return 'none';
  if (budget < littleBudget) return 'low';
  return budget < middlingBudget ? 'medium' : 'high';
}

/** Whether the client requested reasoning text. */
export function wantsThoughts(config: JsonObject): boolean {
  const path = `${at}.thinkingConfig`;
  return booleanOf(fieldOf(thinkingOf(config), 'includeThoughts', path), `${path}.includeThoughts`) === true;
}

const maxTokens = 10_000_000;
const maxChoices = 128;

/** Reads the limits that affect the price, after validation. Zero means no limit. */
export function readLimits(config: JsonObject): { readonly limit: number | undefined; readonly choices: number } {
  const limit = wholeNumber(config, 'maxOutputTokens', maxTokens);
  return { limit: limit === 0 ? undefined : limit, choices: wholeNumber(config, 'candidateCount', maxChoices) || 1 };
}

function wholeNumber(config: JsonObject, name: string, most: number): number | undefined {
  const value = configNumber(config, name);
  if (value === undefined || (Number.isInteger(value) && value >= 0 && value <= most)) return value;
  throw new RequestProblem(`${at}.${name}`, `${at}.${name} is invalid`);
}
