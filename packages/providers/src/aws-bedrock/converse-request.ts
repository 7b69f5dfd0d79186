import { type ChatField, type ChatRequest, type ContentPart, RequestProblem, readDataUrl } from '@headgate/dialects';
import { mergeTurns, type NonSystemMessage, parseArguments, systemTexts } from '../anthropic/blocks.ts';
import { disallowAdditionalProperties } from '../anthropic/messages-request.ts';
import type { JsonObject } from '../provider.ts';

export const converseFields: readonly ChatField[] = [
  'temperature',
  'top_p',
  'stop',
  'tools',
  'tool_choice',
  'response_format',
  'reasoning_effort',
  'image_url',
  'file',
];

/** Writes Amazon's Converse format, which is common to all chat models. */
export function converseBody(request: ChatRequest, modelId: string): JsonObject {
  const system = systemTexts(request.messages);
  const inference = inferenceOf(request);
  const own = reasoningFields(request, modelId);
  return {
    ...(system.length > 0 && { system: system.map((text) => ({ text })) }),
    messages: mergeTurns(request.messages, toClaudeBlocks),
    ...(Object.keys(inference).length > 0 && { inferenceConfig: inference }),
    ...toolFields(request),
    ...formatFields(request),
    ...(Object.keys(own).length > 0 && { additionalModelRequestFields: own }),
  };
}

const inferenceOf = ({ maxTokens, temperature, topP, stop }: ChatRequest): JsonObject => ({
  ...(maxTokens !== undefined && { maxTokens }),
  ...(temperature !== undefined && { temperature }),
  ...(topP !== undefined && topP !== 1 && { topP }),
  ...(stop.length > 0 && { stopSequences: stop }),
});

/** Both families support only low, medium and high. */
const nearestEfforts: Readonly<Record<string, string>> = { minimal: 'low', xhigh: 'high', max: 'high' };

/** Reasoning fields: each model family has its own, and most have none. */
function reasoningFields({ reasoningEffort: effort, extras }: ChatRequest, modelId: string): JsonObject {
  if (effort === undefined || effort === 'none') return {};
  const level = Object.hasOwn(nearestEfforts, effort) ? nearestEfforts[effort] : effort;
  if (modelId.includes('openai.gpt-oss')) return { reasoning_effort: level };
  if (modelId.includes('amazon.nova-2')) return { reasoningConfig: { type: 'enabled', maxReasoningEffort: level } };
  if (extras.isReasoningOptional) return {};
  throw new RequestProblem('reasoning_effort', 'This model does not support reasoning_effort on Amazon Bedrock');
}

function formatFields({ responseFormat }: ChatRequest): JsonObject {
  if (responseFormat?.type !== 'json_schema') return {};
  const { name, schema } = responseFormat;
  const jsonSchema = { name, schema: JSON.stringify(disallowAdditionalProperties(schema)) };
  return { outputConfig: { textFormat: { type: 'json_schema', structure: { jsonSchema } } } };
}

function toolFields(request: ChatRequest): JsonObject {
  const { tools, toolChoice } = request;
  const used = namesInHistory(request);
  if (toolChoice === 'none' && used.length > 0 && tools.length > 0) {
    throw new RequestProblem('tool_choice', 'Amazon Bedrock does not support tool_choice none after a tool was used');
  }
  // Tools must be declared if the conversation contains calls to them.
  const toolSpecs =
    tools.length > 0 ? tools.map(toolSpec) : used.map((name) => toolSpec({ name, parameters: anyObject }));
  if (toolSpecs.length === 0 || toolChoice === 'none') return {};
  return {
    toolConfig: {
      tools: toolSpecs,
      ...(tools.length > 0 && toolChoice !== undefined && { toolChoice: choiceOf(toolChoice) }),
    },
  };
}

const namesInHistory = ({ messages }: ChatRequest) => [
  ...new Set(
    messages.flatMap((message) => (message.role === 'assistant' ? message.toolCalls.map(({ name }) => name) : [])),
  ),
];

const anyObject: JsonObject = { type: 'object', properties: {} };

const toolSpec = ({ name, description, parameters }: ToolFields) => ({
  toolSpec: {
    name,
    ...(description !== undefined && description !== '' && { description }),
    inputSchema: { json: { type: 'object', ...parameters } },
  },
});

function choiceOf(choice: Exclude<ChatRequest['toolChoice'], undefined | 'none'>): JsonObject {
  if (typeof choice === 'object') return { tool: { name: choice.name } };
  return choice === 'required' ? { any: {} } : { auto: {} };
}

function toClaudeBlocks(message: NonSystemMessage): readonly JsonObject[] {
  switch (message.role) {
    case 'user':
      return message.parts.flatMap(partBlocks);
    case 'tool':
      return [{ toolResult: { toolUseId: safeId(message.toolCallId), content: textBlocks(message.text) } }];
    case 'assistant':
      return [
        ...textBlocks(message.text),
        ...message.toolCalls.map((call) => ({
          toolUse: { toolUseId: safeId(call.id), name: call.name, input: parseArguments(call) },
        })),
      ];
  }
}

function partBlocks(part: ContentPart): readonly JsonObject[] {
  switch (part.type) {
    case 'text':
      return textBlocks(part.text);
    case 'image': {
      if ('url' in part.image) throw new RequestProblem('image_url', 'Images must be embedded in the request');
      const { mediaType, data } = part.image;
      return [{ image: { format: mediaType.replace('image/', '').replace('jpg', 'jpeg'), source: { bytes: data } } }];
    }
    case 'file':
      return [documentBlock(part.name, part.data)];
    case 'audio':
      throw new RequestProblem('input_audio', 'Amazon Bedrock does not support input_audio');
  }
}

const textBlocks = (text: string): readonly JsonObject[] => (text === '' ? [] : [{ text }]);

/**
 * Replaces characters that Amazon rejects in an id; ids of other providers may contain them when a conversation
 * changes channels.
 */
const safeId = (id: string) => id.replace(/[^a-zA-Z0-9_.:-]/g, '_');

interface ToolFields {
  readonly name: string;
  readonly description?: string | undefined;
  readonly parameters: JsonObject;
}

const formats: Readonly<Record<string, string>> = {
  'application/msword': 'doc',
  'application/pdf': 'pdf',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/markdown': 'md',
  'text/plain': 'txt',
};

function documentBlock(name: string, fileData: string): JsonObject {
  const { mediaType, data } = readDataUrl(fileData) ?? { mediaType: 'application/pdf', data: fileData };
  const format = formats[mediaType];
  if (format === undefined) throw new RequestProblem('file', 'Amazon Bedrock does not support this file type');
  // A document name has a limited character set.
  const safeName = name.replace(/\.[a-z]+$/i, '').replace(/[^a-zA-Z0-9()[\] -]+/g, '-');
  return {
    document: { format, name: safeName || 'document', source: { bytes: data } },
  };
}
