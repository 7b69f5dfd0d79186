import type { ChatRequest, Tool } from '../chat/chat-request.ts';
import { isObject, type JsonObject, objectOf, optionalText, requiredText } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { fieldOf, oneOrMore } from './field-spelling.ts';
import { readSchema } from './json-schema.ts';

export interface ToolFields {
  readonly tools: readonly Tool[];
  readonly toolChoice: ChatRequest['toolChoice'];
  /** Names of tools that Google runs. */
  readonly serverTools: readonly string[];
}

/** Tools that read data in the operator's Google account. */
const accountTools: ReadonlySet<string> = new Set(['fileSearch', 'retrieval']);

export function readTools(body: JsonObject): ToolFields {
  const tools: Tool[] = [];
  for (const [index, item] of oneOrMore(fieldOf(body, 'tools'), 'tools').entries()) {
    const at = `tools[${index}].functionDeclarations`;
    const declared = fieldOf(objectOf(item, `tools[${index}]`), 'functionDeclarations', `tools[${index}]`);
    for (const [number, value] of oneOrMore(declared, at).entries()) tools.push(readTool(value, `${at}[${number}]`));
  }
  return { ...chosenAmong(tools, body), serverTools: serverToolsIn(body) };
}

/** Names of tools that Google runs; throws for one that clients may not use. */
export function serverToolsIn(body: JsonObject): readonly string[] {
  return oneOrMore(fieldOf(body, 'tools'), 'tools').flatMap((item, index) => {
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
  const own = oneOrMore(body['tools'], 'tools').flatMap((item) => {
    const declared = isObject(item)
      ? Object.entries(item).filter(([key]) => camelCase(key) === 'functionDeclarations')
      : [];
    return declared.length > 0 ? [Object.fromEntries(declared)] : [];
  });
  return { tools: own.length > 0 ? own : undefined };
}

const camelCase = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

function readTool(value: unknown, at: string): Tool {
  const tool = objectOf(value, at);
  const given = fieldOf(tool, 'parametersJsonSchema', at) ?? fieldOf(tool, 'parameters', at);
  return {
    name: requiredText(tool['name'], `${at}.name`),
    description: optionalText(tool['description'], `${at}.description`),
    parameters: given === undefined ? noParameters : readSchema(given, `${at}.parameters`),
  };
}

const noParameters: JsonObject = { type: 'object', properties: {} };

/** Reads the tool choice; a restriction to some tools removes the others. */
function chosenAmong(all: readonly Tool[], body: JsonObject): Pick<ToolFields, 'tools' | 'toolChoice'> {
  const config = objectOf(fieldOf(body, 'toolConfig') ?? {}, 'toolConfig');
  const at = 'toolConfig.functionCallingConfig';
  const calling = objectOf(fieldOf(config, 'functionCallingConfig', 'toolConfig') ?? {}, at);
  const mode = optionalText(calling['mode'], `${at}.mode`)?.toUpperCase() ?? '';
  if (!Object.hasOwn(modes, mode))
    throw new RequestProblem(`${at}.mode`, `${at}.mode must be AUTO, ANY, NONE or VALIDATED`);
  const toolChoice = modes[mode as Mode];
  const names = oneOrMore(fieldOf(calling, 'allowedFunctionNames', at), `${at}.allowedFunctionNames`);
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
