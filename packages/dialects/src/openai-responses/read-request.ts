import type { ChatExtras, ChatRequest, ResponseFormat, Tool } from '../chat/chat-request.ts';
import {
  isObject,
  type JsonObject,
  optionalBoolean,
  optionalNumber,
  optionalText,
  requiredText,
  requireList,
  requireObject,
} from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { listAt, objectAt, textAt } from '../upstream-fields.ts';
import { readInput } from './read-items.ts';
import { flatToolName, localShellName } from './tool-names.ts';

/** Reads the client's JSON; throws a RequestProblem that names the invalid field, or data that only OpenAI stores. */
export function readRequest(body: JsonObject): ChatRequest {
  rejectStoredState(body);
  const { tools, serverTools, toolChoice } = readToolChoice(body['tool_choice'], offeredTools(body));
  const reasoning = body['reasoning'] == null ? {} : requireObject(body['reasoning'], 'reasoning');
  return {
    messages: [...readInstructions(body), ...readInput(body['input'])],
    tools,
    toolChoice,
    parallelToolCalls: optionalBoolean(body['parallel_tool_calls'], 'parallel_tool_calls'),
    maxTokens: optionalNumber(body['max_output_tokens'], 'max_output_tokens'),
    temperature: optionalNumber(body['temperature'], 'temperature'),
    topP: optionalNumber(body['top_p'], 'top_p'),
    topK: undefined,
    frequencyPenalty: undefined,
    presencePenalty: undefined,
    seed: undefined,
    stop: [],
    responseFormat: readFormat(textOf(body)['format']),
    reasoningEffort: optionalText(reasoning['effort'], 'reasoning.effort'),
    reasoningBudget: undefined,
    user: optionalText(body['user'], 'user') ?? optionalText(body['safety_identifier'], 'safety_identifier'),
    isStream: body['stream'] === true,
    choices: 1,
    extras: { ...readExtras(body, serverTools), ...(reasoning['summary'] != null && { includesThoughts: true }) },
  };
}

const storedState = ['previous_response_id', 'conversation', 'prompt', 'background'];

/** Rejects fields that reference stored responses, because the channel's provider does not store responses. */
function rejectStoredState(body: JsonObject): void {
  const stateField = storedState.find((name) => body[name] != null && body[name] !== false);
  if (stateField === undefined) return;
  throw new RequestProblem(
    stateField,
    `The channel's provider does not store responses and does not support ${stateField}`,
  );
}

const readInstructions = ({ instructions }: JsonObject): ChatRequest['messages'] => {
  const text = optionalText(instructions, 'instructions') ?? '';
  return text === '' ? [] : [{ role: 'system', text, parts: [{ type: 'text', text }] }];
};

function offeredTools(body: JsonObject): OfferedTools {
  const offered: OfferedTools = { tools: [], serverTools: [] };
  readTools(body['tools'], 'tools', offered);
  for (const [index, item] of listAt(body, 'input').entries()) {
    if (isToolList(item)) readTools(item['tools'], `input[${index}].tools`, offered);
  }
  return offered;
}

const textOf = ({ text }: JsonObject): JsonObject => (text == null ? {} : requireObject(text, 'text'));

function readFormat(value: unknown): ResponseFormat | undefined {
  if (value == null) return undefined;
  const format = requireObject(value, 'text.format');
  if (format['type'] === 'text') return undefined;
  if (format['type'] === 'json_object') return { type: 'json_object' };
  if (format['type'] !== 'json_schema') {
    throw new RequestProblem('text.format.type', 'text.format.type must be text, json_object or json_schema');
  }
  return {
    type: 'json_schema',
    name: requiredText(format['name'], 'text.format.name'),
    schema: requireObject(format['schema'], 'text.format.schema'),
    ...(format['strict'] === true && { isStrict: true }),
  };
}

function readExtras(body: JsonObject, serverTools: readonly string[]): ChatExtras {
  const include = body['include'] == null ? [] : requireList(body['include'], 'include');
  const verbosity = optionalText(textOf(body)['verbosity'], 'text.verbosity');
  const cacheKey = optionalText(body['prompt_cache_key'], 'prompt_cache_key');
  const isAskedForOdds = Number(body['top_logprobs'] ?? 0) > 0 || include.includes('message.output_text.logprobs');
  const openai = {
    ...(verbosity !== undefined && { verbosity }),
    ...(cacheKey !== undefined && { prompt_cache_key: cacheKey }),
  };
  return {
    ...(serverTools.length > 0 && { serverTools }),
    ...(isAskedForOdds && { wantsLogprobs: true }),
    ...(Object.keys(openai).length > 0 && { openai }),
  };
}

interface OfferedTools {
  readonly tools: Tool[];
  /** Types of tools that the provider runs. */
  readonly serverTools: string[];
}

function readTools(values: unknown, at: string, offered: OfferedTools): void {
  if (values == null) return;
  for (const [index, value] of requireList(values, at).entries()) {
    const path = `${at}[${index}]`;
    addTool(requireObject(value, path), path, '', offered);
  }
}

function addTool(tool: JsonObject, at: string, namespace: string, { tools, serverTools }: OfferedTools): void {
  const kind = requiredText(tool['type'], `${at}.type`);
  if (kind === 'function' || kind === 'custom') {
    const name = flatToolName(requiredText(tool['name'], `${at}.name`), namespace);
    const description = optionalText(tool['description'], `${at}.description`);
    tools.push(kind === 'custom' ? customTool(name, description, tool) : functionTool(name, description, tool, at));
  } else if (kind === 'namespace') addGroup(tool, at, { tools, serverTools });
  else if (kind === 'local_shell') tools.push(localShell);
  else serverTools.push(kind);
}

function addGroup(group: JsonObject, at: string, offered: OfferedTools): void {
  const name = requiredText(group['name'], `${at}.name`);
  for (const [index, value] of requireList(group['tools'], `${at}.tools`).entries()) {
    const path = `${at}.tools[${index}]`;
    addTool(requireObject(value, path), path, name, offered);
  }
}

const noParameters: JsonObject = { type: 'object', properties: {} };

const functionTool = (name: string, description: string | undefined, tool: JsonObject, at: string): Tool => ({
  name,
  description,
  parameters: tool['parameters'] == null ? noParameters : requireObject(tool['parameters'], `${at}.parameters`),
  ...(tool['strict'] === true && { isStrict: true }),
});

/** For upstreams that only support functions, the free text of a custom tool becomes the function's only argument. */
const customTool = (name: string, description: string | undefined, tool: JsonObject): Tool => ({
  name,
  description: [description ?? '', grammarOf(objectAt(tool, 'format'))].filter(Boolean).join('\n\n') || undefined,
  parameters: {
    type: 'object',
    properties: { input: { type: 'string', description: 'The input of the tool, as free text' } },
    required: ['input'],
    additionalProperties: false,
  },
});

function grammarOf(format: JsonObject): string {
  const definition = textAt(format, 'definition');
  return definition === '' ? '' : `The input must follow this ${textAt(format, 'syntax')} grammar:\n${definition}`;
}

const localShell: Tool = {
  name: localShellName,
  description: "Runs a command on the user's computer and returns its output",
  parameters: {
    type: 'object',
    properties: {
      command: { type: 'array', items: { type: 'string' }, description: 'The program and its arguments' },
      working_directory: { type: 'string' },
      timeout_ms: { type: 'number' },
      env: { type: 'object', additionalProperties: { type: 'string' } },
    },
    required: ['command'],
  },
};

type Chosen = Pick<ChatRequest, 'tools' | 'toolChoice'> & Pick<OfferedTools, 'serverTools'>;

/** Reads which tools may or must be used. */
function readToolChoice(value: unknown, offered: OfferedTools): Chosen {
  if (value == null) return { ...offered, toolChoice: undefined };
  if (value === 'auto' || value === 'none' || value === 'required') return { ...offered, toolChoice: value };
  const choice = requireObject(value, 'tool_choice');
  if (choice['type'] === 'allowed_tools') return readAllowed(choice, offered);
  const name = nameOf(choice, 'tool_choice');
  if (offered.tools.some((tool) => tool.name === name)) return { ...offered, toolChoice: { name } };
  // A provider tool is required, so all other tools are removed.
  return { tools: [], serverTools: [name], toolChoice: 'required' };
}

function readAllowed(choice: JsonObject, { tools, serverTools }: OfferedTools): Chosen {
  const mode = choice['mode'] ?? 'auto';
  if (mode !== 'auto' && mode !== 'required')
    throw new RequestProblem('tool_choice.mode', 'tool_choice.mode must be auto or required');
  const names = new Set(
    requireList(choice['tools'], 'tool_choice.tools').map((tool, index) => {
      const at = `tool_choice.tools[${index}]`;
      return nameOf(requireObject(tool, at), at);
    }),
  );
  return {
    tools: tools.filter(({ name }) => names.has(name)),
    serverTools: serverTools.filter((kind) => names.has(kind)),
    toolChoice: mode,
  };
}

/** Tool name as the model sees it; the type for a tool without a name. */
function nameOf(tool: JsonObject, at: string): string {
  const kind = requiredText(tool['type'], `${at}.type`);
  if (kind !== 'function' && kind !== 'custom') return kind;
  return flatToolName(requiredText(tool['name'], `${at}.name`), textAt(tool, 'namespace'));
}

const isToolList = (item: unknown): item is JsonObject => isObject(item) && item['type'] === 'additional_tools';
