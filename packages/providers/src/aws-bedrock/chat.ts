import {
  type ChatDelta,
  type ChatMessage,
  type ChatResponse,
  type FinishReason,
  isObject,
  numberAt,
  parseFrame,
  textAt,
  UpstreamProblem,
  type Usage,
} from '@headgate/dialects';
import {
  messagesBody,
  messagesFields,
  messagesParameterRanges,
  messagesReasoning,
  messagesUnsupportedFormats,
} from '../anthropic/messages-request.ts';
import { decodeMessage } from '../anthropic/messages-response.ts';
import { MessagesDecoder } from '../anthropic/messages-stream.ts';
import type { StreamFrame } from '../frames.ts';
import type { ChatAdaptor, JsonObject, StreamDecoder, Upstream } from '../provider.ts';
import { runtimeRequest } from './access.ts';
import { converseBody, converseFields } from './converse-request.ts';
import { ConverseDecoder, decodeConverse } from './converse-response.ts';
import { modelPath, toModelId } from './model-ids.ts';
import { modelChunk, readBedrockProblem } from './problem.ts';

/** Chooses the format with the most features for each model family. */
export function chatAdaptorFor({ model }: Upstream): ChatAdaptor {
  const id = toModelId(model);
  if (id.includes('anthropic.claude')) return claude;
  return /meta\.llama3-\d+b-/.test(id) ? llama : converse;
}

export const converse: ChatAdaptor = {
  kind: 'convert',
  takes: converseFields,
  ranges: { temperature: [0, 1] },
  lacks: { json_object: /^/ },
  inlinesImages: true,
  encode: (request, upstream) =>
    runtimeRequest(
      upstream,
      modelPath(upstream.model, upstream.isStream ? 'converse-stream' : 'converse'),
      converseBody(request, toModelId(upstream.model)),
    ),
  decode: decodeConverse,
  stream: { framing: 'aws-events', open: () => new ConverseDecoder() },
  readProblem: readBedrockProblem,
};

/** Claude in Anthropic's format, which supports more features than Amazon's Converse format. */
export const claude: ChatAdaptor = {
  kind: 'convert',
  takes: messagesFields.filter((field) => field !== 'user'),
  ranges: messagesParameterRanges,
  lacks: messagesUnsupportedFormats,
  reasoningFields: messagesReasoning,
  supportsImagesInToolResults: true,
  inlinesImages: true,
  encode: (request, upstream) =>
    runtimeRequest(upstream, modelPath(upstream.model, upstream.isStream ? 'invoke-with-response-stream' : 'invoke'), {
      anthropic_version: 'bedrock-2023-05-31',
      ...betasIn(upstream.clientHeaders),
      ...withoutMetadata(messagesBody(request, toModelId(upstream.model))),
    }),
  decode: decodeMessage,
  stream: { framing: 'aws-events', open: () => new ClaudeDecoder() },
  readProblem: readBedrockProblem,
};

/** Amazon expects the values of Anthropic's header in the body. */
function betasIn({ 'anthropic-beta': header = '' }: Upstream['clientHeaders']): JsonObject {
  const betas = header.split(',').map((beta) => beta.trim());
  return header === '' ? {} : { anthropic_beta: betas.filter((beta) => beta !== '') };
}

/** Removes the user metadata, which Amazon rejects. */
const withoutMetadata = ({ metadata, ...body }: ReturnType<typeof messagesBody>) => body;

class ClaudeDecoder implements StreamDecoder {
  readonly #events = new MessagesDecoder();

  push(frame: StreamFrame) {
    const data = modelChunk(frame);
    return data === undefined ? [] : this.#events.push({ event: '', data });
  }

  get usage(): Usage | undefined {
    return this.#events.usage;
  }
}

/** The first Llama 3, which supports neither tools nor images and takes the conversation as one text. */
export const llama: ChatAdaptor = {
  kind: 'convert',
  takes: ['temperature', 'top_p'],
  ranges: { temperature: [0, 1] },
  encode: ({ messages, maxTokens, temperature, topP }, upstream) =>
    runtimeRequest(upstream, modelPath(upstream.model, upstream.isStream ? 'invoke-with-response-stream' : 'invoke'), {
      prompt: promptOf(messages),
      max_gen_len: maxTokens ?? 2048,
      ...(temperature !== undefined && { temperature }),
      ...(topP !== undefined && { top_p: topP }),
    }),
  decode: decodeGeneration,
  stream: { framing: 'aws-events', open: () => new LlamaDecoder() },
  readProblem: readBedrockProblem,
};

const promptOf = (messages: readonly ChatMessage[]) =>
  `<|begin_of_text|>${messages.map(turn).join('')}<|start_header_id|>assistant<|end_header_id|>\n\n`;

const turn = (message: ChatMessage) =>
  `<|start_header_id|>${message.role}<|end_header_id|>\n\n${safeText(message)}<|eot_id|>`;

/** Removes turn markers from a message, so that a user cannot impersonate another role. */
const safeText = (message: ChatMessage) => textIn(message).replace(/<\|[a-z_]+\|>/g, '');

const textIn = (message: ChatMessage) =>
  message.role === 'user'
    ? message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
    : message.text;

function decodeGeneration(body: unknown): ChatResponse {
  if (!isObject(body) || typeof body['generation'] !== 'string') {
    throw new UpstreamProblem(502, 'The upstream returned no content');
  }
  return {
    choices: [{ content: body['generation'], finishReason: finishReasonOf(body['stop_reason']) }],
    usage: usageIn(body, undefined),
  };
}

class LlamaDecoder implements StreamDecoder {
  usage: Usage | undefined;

  push(frame: StreamFrame): readonly ChatDelta[] {
    const data = modelChunk(frame);
    if (data === undefined) return [];
    const piece = parseFrame(data);
    this.usage = usageIn(piece, this.usage);
    const content = textAt(piece, 'generation');
    const stopReason = textAt(piece, 'stop_reason');
    return [
      ...(content === '' ? [] : [{ content }]),
      ...(stopReason === '' ? [] : [{ finishReason: finishReasonOf(stopReason) }]),
    ];
  }
}

const finishReasonOf = (stopReason: unknown): FinishReason => (stopReason === 'length' ? 'length' : 'stop');

/** Usage of a stream; only the first chunk contains the prompt count. */
function usageIn(piece: unknown, before: Usage | undefined): Usage | undefined {
  const prompt = numberAt(piece, 'prompt_token_count') ?? before?.promptTokens;
  const completion = numberAt(piece, 'generation_token_count') ?? before?.completionTokens;
  if (prompt === undefined && completion === undefined) return undefined;
  return { promptTokens: prompt ?? 0, completionTokens: completion ?? 0 };
}
