import {
  type ChatDelta,
  type ChatResponse,
  DeltaMerger,
  type FinishReason,
  isObject,
  listAt,
  numberAt,
  objectAt,
  parseFrame,
  textAt,
  UpstreamProblem,
  type Usage,
} from '@headgate/dialects';
import type { StreamFrame } from '../frames.ts';
import type { ChatAdaptor, StreamDecoder } from '../provider.ts';
import { encodeChat, hunyuanFields } from './chat-request.ts';
import { readTencentProblem } from './problem.ts';
import { signedRequest } from './signed-request.ts';

/** Chat adaptor of Hunyuan as a Tencent Cloud service. */
export const hunyuanChat: ChatAdaptor = {
  kind: 'convert',
  takes: hunyuanFields,
  ranges: { temperature: [0, 2] },
  encode: (request, upstream) => signedRequest('ChatCompletions', encodeChat(request, upstream.model), upstream),
  decode: decodeResponse,
  stream: { framing: 'sse', open: () => new HunyuanReader() },
  readProblem: readTencentProblem,
};

/** A whole response is handled as a stream with one chunk, in an envelope. */
function decodeResponse(body: unknown): ChatResponse {
  const reader = new HunyuanReader();
  const gatherer = new DeltaMerger();
  for (const delta of reader.read(body)) gatherer.add(delta);
  const response = gatherer.answer(reader.usage);
  if (response) return response;
  throw new UpstreamProblem(502, 'The upstream returned no choice');
}

class HunyuanReader implements StreamDecoder {
  usage: Usage | undefined;
  readonly #named = new Set<number>();

  push({ data }: StreamFrame): readonly ChatDelta[] {
    return this.read(parseFrame(data));
  }

  read(body: unknown): readonly ChatDelta[] {
    const problem = readTencentProblem(200, body);
    if (problem) throw problem;
    const response = isObject(body) && isObject(body['Response']) ? body['Response'] : body;
    this.usage = usageOf(objectAt(response, 'Usage')) ?? this.usage;
    const [choice] = listAt(response, 'Choices');
    if (!isObject(choice)) return [];
    const said = isObject(choice['Delta']) ? choice['Delta'] : objectAt(choice, 'Message');
    const deltas: ChatDelta[] = [];
    const reasoning = textAt(said, 'ReasoningContent');
    if (reasoning !== '') deltas.push({ reasoning });
    const content = textAt(said, 'Content');
    if (content !== '') deltas.push({ content });
    for (const [position, call] of listAt(said, 'ToolCalls').entries())
      deltas.push(this.#readCall(call, position, textAt(response, 'Id')));
    const finishReason = this.#finishReason(textAt(choice, 'FinishReason'));
    if (finishReason) deltas.push({ finishReason });
    return deltas;
  }

  #readCall(call: unknown, position: number, answerId: string): ChatDelta {
    const called = objectAt(call, 'Function');
    const index = numberAt(call, 'Index') ?? position;
    const isNew = !this.#named.has(index);
    this.#named.add(index);
    return {
      toolCall: {
        index,
        ...(isNew && { id: textAt(call, 'Id') || `call_${answerId}_${index}`, name: textAt(called, 'Name') }),
        arguments: textAt(called, 'Arguments'),
      },
    };
  }

  #finishReason(word: string): FinishReason | undefined {
    if (word === '') return undefined;
    if (word === 'sensitive') return 'content_filter';
    if (word === 'length') return 'length';
    return this.#named.size > 0 ? 'tool_calls' : 'stop';
  }
}

function usageOf(counts: unknown): Usage | undefined {
  const prompt = numberAt(counts, 'PromptTokens');
  if (prompt === undefined) return undefined;
  const cached = numberAt(objectAt(counts, 'PromptTokensDetails'), 'CachedTokens') ?? 0;
  const reasoning = numberAt(objectAt(counts, 'CompletionTokensDetails'), 'ReasoningTokens') ?? 0;
  return {
    promptTokens: prompt,
    completionTokens: numberAt(counts, 'CompletionTokens') ?? 0,
    ...(cached > 0 && { cachedTokens: cached }),
    ...(reasoning > 0 && { reasoningTokens: reasoning }),
  };
}
