import type { ChatRequest, Tool } from '../chat/chat-request.ts';
import { isObject, type JsonObject, listOf, objectOf, optionalText, requiredText } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { objectAt, textAt } from '../upstream-fields.ts';
import { flatToolName, localShellName } from './tool-names.ts';

export interface OfferedTools {
  readonly tools: Tool[];
  /** Types of tools that the provider runs. */
  readonly serverTools: string[];
}

export function readTools(values: unknown, at: string, offered: OfferedTools): void {
  if (values == null) return;
  for (const [index, value] of listOf(values, at).entries()) {
    const place = `${at}[${index}]`;
    addTool(objectOf(value, place), place, '', offered);
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
  for (const [index, value] of listOf(group['tools'], `${at}.tools`).entries()) {
    const place = `${at}.tools[${index}]`;
    addTool(objectOf(value, place), place, name, offered);
  }
}

const noParameters: JsonObject = { type: 'object', properties: {} };

const functionTool = (name: string, description: string | undefined, tool: JsonObject, at: string): Tool => ({
  name,
  description,
  parameters: tool['parameters'] == null ? noParameters : objectOf(tool['parameters'], `${at}.parameters`),
  ...(tool['strict'] === true && { isStrict: true }),
});

/** For upstreams with functions only, the free text of a custom tool becomes the function's only argument. */
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
export function readToolChoice(value: unknown, offered: OfferedTools): Chosen {
  if (value == null) return { ...offered, toolChoice: undefined };
  if (value === 'auto' || value === 'none' || value === 'required') return { ...offered, toolChoice: value };
  const choice = objectOf(value, 'tool_choice');
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
    listOf(choice['tools'], 'tool_choice.tools').map((tool, index) => {
      const at = `tool_choice.tools[${index}]`;
      return nameOf(objectOf(tool, at), at);
    }),
  );
  return {
    tools: tools.filter(({ name }) => names.has(name)),
    serverTools: serverTools.filter((kind) => names.has(kind)),
    toolChoice: mode,
  };
}

/** Name that the model sees; the type for a tool without a name. */
function nameOf(tool: JsonObject, at: string): string {
  const kind = requiredText(tool['type'], `${at}.type`);
  if (kind !== 'function' && kind !== 'custom') return kind;
  return flatToolName(requiredText(tool['name'], `${at}.name`), textAt(tool, 'namespace'));
}

export const isToolList = (item: unknown): item is JsonObject => isObject(item) && item['type'] === 'additional_tools';
