import type { ChatExtras, ChatRequest, ResponseFormat, Tool } from '../chat/chat-request.ts';
import { type JsonObject, listOf, numberOf, objectOf, optionalText, requiredText } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { objectAt } from '../upstream-fields.ts';
import { readMessages } from './read-messages.ts';
import { isStreamed, outputLimitIn } from './read-outline.ts';

/** Reads a chat request of Ollama's clients; fields that manage the server's memory are ignored. */
export function readRequest(body: JsonObject): ChatRequest {
  const options = objectAt(body, 'options');
  const number = (name: string) => numberOf(options[name], `options.${name}`);
  return {
    messages: readMessages(body['messages']),
    tools: body['tools'] == null ? [] : listOf(body['tools'], 'tools').map(readTool),
    toolChoice: undefined,
    parallelToolCalls: undefined,
    maxTokens: outputLimitIn(body),
    temperature: number('temperature'),
    topP: number('top_p'),
    topK: number('top_k'),
    frequencyPenalty: number('frequency_penalty'),
    presencePenalty: number('presence_penalty'),
    seed: number('seed'),
    stop: readStop(options['stop']),
    responseFormat: readFormat(body['format']),
    reasoningEffort: readThinking(body['think']),
    reasoningBudget: undefined,
    user: undefined,
    isStream: isStreamed(body),
    choices: 1,
    extras: readExtras(body, options),
  };
}

function readExtras(body: JsonObject, options: JsonObject): ChatExtras {
  const minP = numberOf(options['min_p'], 'options.min_p');
  return {
    ...(minP !== undefined && { minP }),
    ...(body['logprobs'] === true && { wantsLogprobs: true }),
    ...(body['think'] != null && body['think'] !== false && { wantsThoughts: true }),
    ...(options['num_ctx'] != null && { hasContextSize: true }),
    ...(body['keep_alive'] != null && { hasKeepAlive: true }),
  };
}

function readTool(value: unknown, index: number): Tool {
  const at = `tools[${index}]`;
  const described = objectOf(objectOf(value, at)['function'], `${at}.function`);
  const given = described['parameters'];
  return {
    name: requiredText(described['name'], `${at}.function.name`),
    description: optionalText(described['description'], `${at}.function.description`),
    parameters: given == null ? { type: 'object', properties: {} } : objectOf(given, `${at}.function.parameters`),
  };
}

export function readStop(value: unknown): readonly string[] {
  if (value == null) return [];
  return (Array.isArray(value) ? value : [value]).map((stop) => requiredText(stop, 'options.stop'));
}

function readFormat(value: unknown): ResponseFormat | undefined {
  if (value == null || value === '') return undefined;
  if (value === 'json') return { type: 'json_object' };
  return { type: 'json_schema', name: 'answer', schema: objectOf(value, 'format') };
}

/** Most models only turn thinking on or off; a few have levels. */
function readThinking(think: unknown): string | undefined {
  if (think == null) return undefined;
  if (typeof think === 'boolean') return think ? 'medium' : 'none';
  if (think === 'low' || think === 'medium' || think === 'high') return think;
  throw new RequestProblem('think', 'think must be true, false, low, medium or high');
}
