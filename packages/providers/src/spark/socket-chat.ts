import {
  type ChatDelta,
  type ChatMessage,
  type ChatRequest,
  type FinishReason,
  listAt,
  numberAt,
  objectAt,
  parseFrame,
  RequestProblem,
  textAt,
  type Usage,
} from '@headgate/dialects';
import type { StreamFrame } from '../frames.ts';
import { jsonBody } from '../json-body.ts';
import type { ChatAdaptor, JsonObject, StreamDecoder, Upstream } from '../provider.ts';
import { sparkProblem } from './problem.ts';
import { signedUrl } from './signed-url.ts';
import { socketTarget } from './versions.ts';

/** Spark's native dialect: one message is sent, many are received. */
export const sparkSocket: ChatAdaptor = {
  kind: 'convert',
  takes: ['temperature', 'top_k', 'user', 'tools'],
  ranges: { temperature: [0.01, 1] },
  encode(request, upstream) {
    const { domain, path } = socketTarget(upstream);
    return {
      method: 'GET',
      url: signedUrl(upstream, path),
      headers: {},
      body: jsonBody(encodeFrame(request, upstream, domain), upstream),
    };
  },
  stream: { framing: 'websocket', open: () => new SparkReader() },
};

function encodeFrame(request: ChatRequest, { key }: Upstream, domain: string): JsonObject {
  const { temperature, tools } = request;
  if (tools.length > 0 && !/^(?:generalv3|4\.0)/.test(domain)) {
    throw new RequestProblem('tools', 'The model does not support tools');
  }
  return {
    header: { app_id: key.split('|')[0]?.trim(), uid: request.user?.slice(0, 32) },
    parameter: {
      chat: {
        domain,
        temperature,
        top_k: request.topK,
        max_tokens: request.maxTokens,
      },
    },
    payload: {
      message: { text: request.messages.map(encodeMessage) },
      ...(tools.length > 0 && {
        functions: { text: tools.map(({ name, description, parameters }) => ({ name, description, parameters })) },
      }),
    },
  };
}

function encodeMessage(message: ChatMessage, index: number): JsonObject {
  if (message.role === 'tool' || (message.role === 'assistant' && message.toolCalls.length > 0)) {
    throw new RequestProblem(`messages[${index}]`, "The channel's provider does not support tool results");
  }
  if (message.role !== 'user') return { role: message.role, content: message.text };
  return { role: 'user', content: message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') };
}

const lastStatus = 2;

class SparkReader implements StreamDecoder {
  usage: Usage | undefined;
  #hasCall = false;

  push({ data }: StreamFrame): readonly ChatDelta[] {
    const frame = parseFrame(data);
    const header = objectAt(frame, 'header');
    const problem = sparkProblem(header);
    if (problem) throw problem;
    const payload = objectAt(frame, 'payload');
    this.usage = usageOf(objectAt(objectAt(payload, 'usage'), 'text')) ?? this.usage;
    const choices = objectAt(payload, 'choices');
    const deltas = listAt(choices, 'text').flatMap((piece) => this.#readPiece(piece, textAt(header, 'sid')));
    if (numberAt(choices, 'status') === lastStatus) deltas.push({ content: '', finishReason: this.#finishReason() });
    return deltas;
  }

  #readPiece(piece: unknown, sid: string): ChatDelta[] {
    const deltas: ChatDelta[] = [];
    const reasoning = textAt(piece, 'reasoning_content');
    if (reasoning !== '') deltas.push({ reasoning });
    const content = textAt(piece, 'content');
    if (content !== '') deltas.push({ content });
    const call = objectAt(piece, 'function_call');
    if (textAt(call, 'name') !== '') {
      this.#hasCall = true;
      const json = textAt(call, 'arguments') || '{}';
      deltas.push({ toolCall: { index: 0, id: `call_${sid}`, name: textAt(call, 'name'), arguments: json } });
    }
    return deltas;
  }

  #finishReason(): FinishReason {
    return this.#hasCall ? 'tool_calls' : 'stop';
  }
}

function usageOf(counts: unknown): Usage | undefined {
  const prompt = numberAt(counts, 'prompt_tokens');
  if (prompt === undefined) return undefined;
  return { promptTokens: prompt, completionTokens: numberAt(counts, 'completion_tokens') ?? 0 };
}
