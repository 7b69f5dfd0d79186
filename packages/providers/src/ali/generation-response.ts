import {
  type ChatDelta,
  type ChatResponse,
  DeltaMerger,
  type FinishReason,
  listAt,
  numberAt,
  objectAt,
  parseFrame,
  textAt,
  UpstreamProblem,
  type Usage,
} from '@headgate/dialects';
import type { StreamFrame } from '../frames.ts';
import type { StreamDecoder } from '../provider.ts';
import { readAliProblem } from './problem.ts';

/** A whole response is handled as a stream with one chunk. */
export function decodeGeneration(body: unknown): ChatResponse {
  const reader = new GenerationReader();
  const gatherer = new DeltaMerger();
  for (const delta of reader.read(body)) gatherer.add(delta);
  const response = gatherer.answer(reader.usage);
  if (response) return response;
  throw new UpstreamProblem(502, 'The upstream returned no choice');
}

export class GenerationReader implements StreamDecoder {
  usage: Usage | undefined;
  readonly #named = new Set<number>();

  push({ event, data }: StreamFrame): readonly ChatDelta[] {
    const body = parseFrame(data);
    if (event === 'error')
      throw readAliProblem(502, body) ?? new UpstreamProblem(502, 'The upstream aborted the response');
    return this.read(body);
  }

  read(body: unknown): readonly ChatDelta[] {
    const problem = readAliProblem(502, body);
    if (problem) throw problem;
    this.usage = usageOf(objectAt(body, 'usage')) ?? this.usage;
    const [choice] = listAt(objectAt(body, 'output'), 'choices');
    if (choice === undefined) return [];
    const message = objectAt(choice, 'message');
    const deltas: ChatDelta[] = [];
    const reasoning = textAt(message, 'reasoning_content');
    if (reasoning !== '') deltas.push({ reasoning });
    const content =
      textAt(message, 'content') ||
      listAt(message, 'content')
        .map((part) => textAt(part, 'text'))
        .join('');
    if (content !== '') deltas.push({ content });
    for (const [position, call] of listAt(message, 'tool_calls').entries())
      deltas.push(this.#readCall(call, position, textAt(body, 'request_id')));
    const finishReason = this.#finishReason(textAt(choice, 'finish_reason'));
    if (finishReason) deltas.push({ finishReason });
    return deltas;
  }

  #readCall(call: unknown, position: number, requestId: string): ChatDelta {
    const called = objectAt(call, 'function');
    const index = numberAt(call, 'index') ?? position;
    const isNew = !this.#named.has(index);
    this.#named.add(index);
    return {
      toolCall: {
        index,
        ...(isNew && { id: textAt(call, 'id') || `call_${requestId}_${index}`, name: textAt(called, 'name') }),
        arguments: textAt(called, 'arguments'),
      },
    };
  }

  /** Until the end, the finish reason is the string "null". */
  #finishReason(word: string): FinishReason | undefined {
    if (word === '' || word === 'null') return undefined;
    if (word === 'length' || word === 'content_filter') return word;
    return this.#named.size > 0 ? 'tool_calls' : 'stop';
  }
}

function usageOf(counts: unknown): Usage | undefined {
  const prompt = numberAt(counts, 'input_tokens');
  if (prompt === undefined) return undefined;
  const cached = numberAt(objectAt(counts, 'prompt_tokens_details'), 'cached_tokens') ?? 0;
  const reasoning = numberAt(objectAt(counts, 'output_tokens_details'), 'reasoning_tokens') ?? 0;
  return {
    promptTokens: prompt,
    completionTokens: numberAt(counts, 'output_tokens') ?? 0,
    ...(cached > 0 && { cachedTokens: cached }),
    ...(reasoning > 0 && { reasoningTokens: reasoning }),
  };
}
