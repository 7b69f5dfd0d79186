import {
  type ChatField,
  type ChatMessage,
  type ChatRequest,
  type ContentPart,
  RequestProblem,
  type ResponseFormat,
} from '@headgate/dialects';
import type { JsonObject, Ranges } from '../provider.ts';

export const generationFields: readonly ChatField[] = [
  'temperature',
  'top_p',
  'top_k',
  'stop',
  'seed',
  'presence_penalty',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'response_format',
  'reasoning_effort',
  'image_url',
];

export const aliRanges: Ranges = { top_p: [0.0001, 0.9999], temperature: [0, 1.9999] };

/** Whether a request needs the multimodal endpoint, which accepts content in parts only. */
export const isMultimodal = (request: ChatRequest, model: string) =>
  /-vl|-ocr|-audio|omni|qvq/.test(model) ||
  request.messages.some((message) => message.role === 'user' && message.parts.some(isImage));

const isImage = ({ type }: ContentPart) => type === 'image';

/** A request in DashScope's native format. */
export function encodeGeneration(request: ChatRequest, model: string): JsonObject {
  const inParts = isMultimodal(request, model);
  return {
    model,
    input: { messages: request.messages.map((message) => encodeMessage(message, inParts)) },
    parameters: {
      result_format: 'message',
      ...(request.isStream && { incremental_output: true }),
      max_tokens: request.maxTokens,
      temperature: request.temperature,
      top_p: request.topP,
      seed: request.seed,
      stop: request.stop.length > 0 ? request.stop : undefined,
      presence_penalty: request.presencePenalty,
      response_format: encodeFormat(request.responseFormat),
      ...encodeTools(request),
      ...encodeThinking(request),
      ...request.extras.dashscope,
    },
  };
}

function encodeMessage(message: ChatMessage, inParts: boolean): JsonObject {
  const content = (text: string) => (inParts ? [{ text }] : text);
  switch (message.role) {
    case 'system':
      return { role: 'system', content: content(message.text) };
    case 'user':
      return { role: 'user', content: inParts ? message.parts.map(encodePart) : textOf(message.parts) };
    case 'tool':
      return { role: 'tool', content: content(message.text), tool_call_id: message.toolCallId };
    case 'assistant':
      return {
        role: 'assistant',
        content: content(message.text),
        ...(message.toolCalls.length > 0 && {
          tool_calls: message.toolCalls.map(({ id, name, arguments: json }) => ({
            id,
            type: 'function',
            function: { name, arguments: json },
          })),
        }),
      };
  }
}

function encodePart(part: ContentPart): JsonObject {
  if (part.type === 'text') return { text: part.text };
  if (part.type !== 'image')
    throw new RequestProblem(part.type, `The channel's provider does not support ${part.type}`);
  const { image } = part;
  return { image: 'url' in image ? image.url : `data:${image.mediaType};base64,${image.data}` };
}

const textOf = (parts: readonly ContentPart[]) => parts.map((part) => (part.type === 'text' ? part.text : '')).join('');

function encodeFormat(format: ResponseFormat | undefined): JsonObject | undefined {
  if (format?.type !== 'json_schema') return format;
  return { type: 'json_schema', json_schema: { name: format.name, schema: format.schema, strict: true } };
}

function encodeTools({ tools, toolChoice, parallelToolCalls }: ChatRequest): JsonObject {
  if (tools.length === 0) return {};
  if (toolChoice === 'required') {
    throw new RequestProblem('tool_choice', "The channel's provider does not support tool_choice required");
  }
  return {
    tools: tools.map(({ name, description, parameters }) => ({
      type: 'function',
      function: { name, description, parameters },
    })),
    tool_choice:
      typeof toolChoice === 'object' ? { type: 'function', function: { name: toolChoice.name } } : toolChoice,
    parallel_tool_calls: parallelToolCalls,
  };
}

const encodeThinking = ({ reasoningEffort }: ChatRequest): JsonObject =>
  reasoningEffort === undefined ? {} : { enable_thinking: reasoningEffort !== 'none' && reasoningEffort !== 'minimal' };
