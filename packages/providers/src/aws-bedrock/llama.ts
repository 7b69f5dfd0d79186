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
import type { StreamFrame } from '../frames.ts';
import type { ChatAdaptor, StreamDecoder } from '../provider.ts';
import { runtimeRequest } from './access.ts';
import { modelChunk } from './model-chunk.ts';
import { modelPath } from './model-ids.ts';
import { readBedrockProblem } from './problem.ts';

/** The first Llama 3, which supports neither tools nor images and accepts the conversation as one text. */
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

/** Removes turn markers from a message, so that a user cannot fake another role. */
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
