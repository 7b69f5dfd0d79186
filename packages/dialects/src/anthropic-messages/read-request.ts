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
import { objectAt } from '../upstream-fields.ts';
import { readCacheControl } from './read-content.ts';
import { readConversation } from './read-messages.ts';

/** Reads the client's JSON; throws a RequestProblem that names the invalid field. */
export function readMessagesRequest(body: JsonObject): ChatRequest {
  rejectDemands(body);
  const { messages, serverBlocks } = readConversation(body);
  const { tools, serverTools } = readTools(body['tools']);
  const { toolChoice, parallelToolCalls } = readToolChoice(body['tool_choice']);
  const { extras, ...reasoning } = readReasoning(body);
  return {
    messages,
    tools,
    toolChoice,
    parallelToolCalls,
    maxTokens: readMaxTokens(body['max_tokens']),
    temperature: optionalNumber(body['temperature'], 'temperature'),
    topP: optionalNumber(body['top_p'], 'top_p'),
    topK: optionalNumber(body['top_k'], 'top_k'),
    frequencyPenalty: undefined,
    presencePenalty: undefined,
    seed: undefined,
    stop: readStops(body['stop_sequences']),
    responseFormat: readResponseFormat(body),
    ...reasoning,
    user: optionalText(objectAt(body, 'metadata')['user_id'], 'metadata.user_id'),
    isStream: body['stream'] === true,
    choices: 1,
    extras: { ...extras, ...readExtras(body, [...serverTools, ...serverBlocks]) },
  };
}

/**
 * Fields that only Anthropic supports and that would change the response if ignored. Optional fields
 * (`context_management`, `service_tier`, `speed` and similar) are dropped.
 */
const demands = ['mcp_servers', 'container', 'inference_geo', 'thread'];

function rejectDemands(body: JsonObject): void {
  const unsupported = demands.find((name) => isGiven(body[name]));
  if (unsupported !== undefined)
    throw new RequestProblem(unsupported, `The channel's provider does not support ${unsupported}`);
}

const isGiven = (value: unknown): boolean => value != null && !(Array.isArray(value) && value.length === 0);

const readExtras = ({ cache_control: mark }: JsonObject, serverTools: readonly string[]): ChatExtras => ({
  ...(isObject(mark) && { cacheControl: mark }),
  ...(serverTools.length > 0 && { serverTools }),
});

function readMaxTokens(value: unknown): number {
  const maxTokens = optionalNumber(value, 'max_tokens');
  if (maxTokens === undefined) throw new RequestProblem('max_tokens', 'max_tokens is required');
  if (maxTokens < 1) throw new RequestProblem('max_tokens', 'max_tokens must be at least 1');
  return maxTokens;
}

const readStops = (value: unknown): readonly string[] =>
  value == null
    ? []
    : requireList(value, 'stop_sequences').map((stop, index) => requiredText(stop, `stop_sequences[${index}]`));

interface ReadTools {
  readonly tools: readonly Tool[];
  /** Types of tools that only Anthropic runs. */
  readonly serverTools: readonly string[];
}

function readTools(value: unknown): ReadTools {
  const tools: Tool[] = [];
  const serverTools: string[] = [];
  for (const [index, given] of (value == null ? [] : requireList(value, 'tools')).entries()) {
    const at = `tools[${index}]`;
    const tool = requireObject(given, at);
    const kind = optionalText(tool['type'], `${at}.type`) ?? 'custom';
    if (kind === 'custom') tools.push(readTool(tool, at));
    else serverTools.push(kind);
  }
  return { tools, serverTools };
}

const readTool = (tool: JsonObject, at: string): Tool => ({
  name: requiredText(tool['name'], `${at}.name`),
  description: optionalText(tool['description'], `${at}.description`),
  parameters: requireObject(tool['input_schema'], `${at}.input_schema`),
  ...(tool['strict'] === true && { isStrict: true }),
  ...readCacheControl(tool, at),
});

const choices = { auto: 'auto', any: 'required', none: 'none' } as const;

function readToolChoice(value: unknown): Pick<ChatRequest, 'toolChoice' | 'parallelToolCalls'> {
  if (value == null) return { toolChoice: undefined, parallelToolCalls: undefined };
  const choice = requireObject(value, 'tool_choice');
  const isSingle = optionalBoolean(choice['disable_parallel_tool_use'], 'tool_choice.disable_parallel_tool_use');
  const parallelToolCalls = isSingle === undefined ? undefined : !isSingle;
  const type = requiredText(choice['type'], 'tool_choice.type');
  if (type === 'tool') {
    return { toolChoice: { name: requiredText(choice['name'], 'tool_choice.name') }, parallelToolCalls };
  }
  if (type !== 'auto' && type !== 'any' && type !== 'none') {
    throw new RequestProblem('tool_choice.type', 'tool_choice.type must be auto, any, tool or none');
  }
  return { toolChoice: choices[type], parallelToolCalls };
}

/** Reads the output format from the current or the former field name. */
function readResponseFormat(body: JsonObject): ResponseFormat | undefined {
  const current = objectAt(body, 'output_config')['format'];
  const at = current == null ? 'output_format' : 'output_config.format';
  const value = current ?? body['output_format'];
  if (value == null) return undefined;
  const format = requireObject(value, at);
  if (format['type'] !== 'json_schema') throw new RequestProblem(`${at}.type`, `${at}.type must be json_schema`);
  return { type: 'json_schema', name: 'answer', schema: requireObject(format['schema'], `${at}.schema`) };
}

interface Reasoning extends Pick<ChatRequest, 'reasoningEffort' | 'reasoningBudget'> {
  readonly extras: ChatExtras;
}

/** Claude's default effort. */
const usualEffort = 'high';

/** Reasoning settings for Claude, and their equivalents for other models. */
function readReasoning(body: JsonObject): Reasoning {
  const effort = optionalText(objectAt(body, 'output_config')['effort'], 'output_config.effort');
  const given = body['thinking'];
  const thinking = given == null ? undefined : requireObject(given, 'thinking');
  const budget = optionalNumber(thinking?.['budget_tokens'], 'thinking.budget_tokens');
  return {
    reasoningEffort: effortOf(thinking, budget, effort),
    reasoningBudget: thinking?.['type'] === 'enabled' ? budget : undefined,
    extras: {
      ...(thinking && { thinking }),
      ...(effort !== undefined && { effort }),
      // Agents always send thinking settings, even for models without reasoning.
      ...((thinking || effort !== undefined) && { isReasoningOptional: true }),
    },
  };
}

function effortOf(
  thinking: JsonObject | undefined,
  budget: number | undefined,
  effort: string | undefined,
): string | undefined {
  // Only Claude has a level above `xhigh`.
  const sentEffort = effort === 'max' ? 'xhigh' : effort;
  if (thinking === undefined) return sentEffort;
  switch (requiredText(thinking['type'], 'thinking.type')) {
    case 'disabled':
      return 'none';
    case 'adaptive':
      return sentEffort ?? usualEffort;
    case 'enabled':
      if (budget === undefined) {
        throw new RequestProblem('thinking.budget_tokens', 'thinking.budget_tokens is required');
      }
      return sentEffort ?? effortFor(budget);
    default:
      throw new RequestProblem('thinking.type', 'thinking.type must be enabled, adaptive or disabled');
  }
}

const littleBudget = 4096;
const middlingBudget = 16_384;

function effortFor(budget: number): string {
  if (budget < littleBudget) return 'low';
  return budget < middlingBudget ? 'medium' : 'high';
}
