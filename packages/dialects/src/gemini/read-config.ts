import type { ChatRequest, ResponseFormat, Tool } from '../chat/chat-request.ts';
import {
  isObject,
  type JsonObject,
  optionalBoolean,
  optionalNumber,
  optionalText,
  requiredText,
  requireObject,
} from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { readField, toList } from './field-spelling.ts';
import { readSchema } from './json-schema.ts';

const at = 'generationConfig';

export const readGenerationConfig = (body: JsonObject): JsonObject => requireObject(readField(body, at) ?? {}, at);

const configNumber = (config: JsonObject, name: string) => optionalNumber(readField(config, name, at), `${at}.${name}`);

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
  const stop = readField(config, 'stopSequences', at);
  return {
    temperature: configNumber(config, 'temperature'),
    topP: configNumber(config, 'topP'),
    topK: configNumber(config, 'topK'),
    frequencyPenalty: configNumber(config, 'frequencyPenalty'),
    presencePenalty: configNumber(config, 'presencePenalty'),
    seed: configNumber(config, 'seed'),
    stop: (typeof stop === 'string' ? [stop] : toList(stop, `${at}.stopSequences`)).map((text) =>
      requiredText(text, `${at}.stopSequences`),
    ),
    responseFormat: readFormat(config),
    ...readThinking(config),
  };
}

function readFormat(config: JsonObject): ResponseFormat | undefined {
  const type = optionalText(readField(config, 'responseMimeType', at), `${at}.responseMimeType`)?.toLowerCase() ?? '';
  const given = schemaNames.map((name) => readField(config, name, at)).filter((schema) => schema !== undefined);
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
  requireObject(readField(config, 'thinkingConfig', at) ?? {}, `${at}.thinkingConfig`);

/**
 * A budget of 0 disables reasoning, and -1 leaves it to the model. Budgets are mapped to effort levels, which other
 * providers use.
 */
export function readThinking(config: JsonObject): Pick<ChatRequest, 'reasoningEffort' | 'reasoningBudget'> {
  const path = `${at}.thinkingConfig`;
  const thinking = thinkingOf(config);
  const budget = optionalNumber(readField(thinking, 'thinkingBudget', path), `${path}.thinkingBudget`);
  const level = optionalText(readField(thinking, 'thinkingLevel', path), `${path}.thinkingLevel`)?.toLowerCase();
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

/** True if the client requested reasoning text. */
export function includesThoughts(config: JsonObject): boolean {
  const path = `${at}.thinkingConfig`;
  return optionalBoolean(readField(thinkingOf(config), 'includeThoughts', path), `${path}.includeThoughts`) === true;
}

const maxTokens = 10_000_000;
const maxChoices = 128;

/** Reads the limits that affect the price, after validation. Zero means no limit. */
export function readLimits(config: JsonObject): { readonly limit: number | undefined; readonly choices: number } {
  const limit = wholeNumber(config, 'maxOutputTokens', maxTokens);
  return { limit: limit === 0 ? undefined : limit, choices: wholeNumber(config, 'candidateCount', maxChoices) || 1 };
}

function wholeNumber(config: JsonObject, name: string, max: number): number | undefined {
  const value = configNumber(config, name);
  if (value === undefined || (Number.isInteger(value) && value >= 0 && value <= max)) return value;
  throw new RequestProblem(`${at}.${name}`, `${at}.${name} is invalid`);
}

interface ToolFields {
  readonly tools: readonly Tool[];
  readonly toolChoice: ChatRequest['toolChoice'];
  /** Names of tools that Google runs. */
  readonly serverTools: readonly string[];
}

/** Tools that read data in the operator's Google account. */
const accountTools: ReadonlySet<string> = new Set(['fileSearch', 'retrieval']);

export function readTools(body: JsonObject): ToolFields {
  const tools: Tool[] = [];
  for (const [index, item] of toList(readField(body, 'tools'), 'tools').entries()) {
    const at = `tools[${index}].functionDeclarations`;
    const declared = readField(requireObject(item, `tools[${index}]`), 'functionDeclarations', `tools[${index}]`);
    for (const [number, value] of toList(declared, at).entries()) tools.push(readTool(value, `${at}[${number}]`));
  }
  return { ...chosenAmong(tools, body), serverTools: findServerTools(body) };
}

/** Names of the tools that Google runs; throws for a tool that clients may not use. */
export function findServerTools(body: JsonObject): readonly string[] {
  return toList(readField(body, 'tools'), 'tools').flatMap((item, index) => {
    const names = isObject(item) ? Object.keys(item).filter((name) => item[name] != null) : [];
    return names.map(camelCase).filter((name) => {
      if (accountTools.has(name))
        throw new RequestProblem(`tools[${index}].${name}`, `tools[${index}].${name} is not supported`);
      return name !== 'functionDeclarations';
    });
  });
}

/** Removes the tools that Google runs. None of them can be required. */
export function withoutServerTools(body: JsonObject): JsonObject {
  const own = toList(body['tools'], 'tools').flatMap((item) => {
    const declared = isObject(item)
      ? Object.entries(item).filter(([key]) => camelCase(key) === 'functionDeclarations')
      : [];
    return declared.length > 0 ? [Object.fromEntries(declared)] : [];
  });
  return { tools: own.length > 0 ? own : undefined };
}

const camelCase = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

function readTool(value: unknown, at: string): Tool {
  const tool = requireObject(value, at);
  const given = readField(tool, 'parametersJsonSchema', at) ?? readField(tool, 'parameters', at);
  return {
    name: requiredText(tool['name'], `${at}.name`),
    description: optionalText(tool['description'], `${at}.description`),
    parameters: given === undefined ? noParameters : readSchema(given, `${at}.parameters`),
  };
}

const noParameters: JsonObject = { type: 'object', properties: {} };

/** Reads the tool choice; a restriction to some tools removes the others. */
function chosenAmong(all: readonly Tool[], body: JsonObject): Pick<ToolFields, 'tools' | 'toolChoice'> {
  const config = requireObject(readField(body, 'toolConfig') ?? {}, 'toolConfig');
  const at = 'toolConfig.functionCallingConfig';
  const calling = requireObject(readField(config, 'functionCallingConfig', 'toolConfig') ?? {}, at);
  const mode = optionalText(calling['mode'], `${at}.mode`)?.toUpperCase() ?? '';
  if (!Object.hasOwn(modes, mode))
    throw new RequestProblem(`${at}.mode`, `${at}.mode must be AUTO, ANY, NONE or VALIDATED`);
  const toolChoice = modes[mode as Mode];
  const names = toList(readField(calling, 'allowedFunctionNames', at), `${at}.allowedFunctionNames`);
  if (names.length === 0 || toolChoice === 'none') return { tools: all, toolChoice };
  const allowed = new Set(names.map((name) => requiredText(name, `${at}.allowedFunctionNames`)));
  const tools = all.filter(({ name }) => allowed.has(name));
  const [only, another] = tools;
  if (tools.length < allowed.size || !only) {
    throw new RequestProblem(`${at}.allowedFunctionNames`, `${at}.allowedFunctionNames must name tools of the request`);
  }
  return another || toolChoice !== 'required' ? { tools, toolChoice } : { tools: all, toolChoice: { name: only.name } };
}

type Mode = keyof typeof modes;

/** `VALIDATED` has no equivalent in other dialects and becomes `auto`. */
const modes = {
  '': undefined,
  MODE_UNSPECIFIED: undefined,
  AUTO: 'auto',
  VALIDATED: 'auto',
  ANY: 'required',
  NONE: 'none',
} as const;
