import {
  type ChatDelta,
  type FinishReason,
  numberAt,
  objectAt,
  parseFrame,
  textAt,
  UpstreamProblem,
  type Usage,
} from '@headgate/dialects';
import type { StreamFrame } from '../frames.ts';
import type { StreamDecoder } from '../provider.ts';

export class CohereStream implements StreamDecoder {
  usage: Usage | undefined;
  /** Upstream index of the current call, and whether it has arguments yet. */
  #call = { number: -1, hasArguments: false };
  #hasBegun = false;

  push({ data }: StreamFrame): readonly ChatDelta[] {
    const event = parseFrame(data);
    const delta = objectAt(event, 'delta');
    const message = objectAt(delta, 'message');
    switch (textAt(event, 'type')) {
      case 'message-start':
        return this.#open();
      case 'content-start':
      case 'content-delta': {
        const content = objectAt(message, 'content');
        return [...piece('reasoning', textAt(content, 'thinking')), ...piece('content', textAt(content, 'text'))];
      }
      case 'tool-plan-delta':
        return piece('reasoning', textAt(message, 'tool_plan'));
      case 'tool-call-start':
      case 'tool-call-delta':
      case 'tool-call-end':
        return this.#readCall(textAt(event, 'type'), objectAt(message, 'tool_calls'));
      case 'message-end':
        this.usage = usageOf(delta);
        return [{ finishReason: finishReasonOf(textAt(delta, 'finish_reason'), textAt(delta, 'error')) }];
      default:
        return [];
    }
  }

  /** A second start discards the first. */
  #open(): readonly ChatDelta[] {
    const isAgain = this.#hasBegun;
    this.#hasBegun = true;
    return isAgain ? [{ restarts: true }] : [];
  }

  #readCall(type: string, call: unknown): readonly ChatDelta[] {
    const called = objectAt(call, 'function');
    const text = textAt(called, 'arguments');
    if (type === 'tool-call-start') {
      this.#call = { number: this.#call.number + 1, hasArguments: text !== '' };
      const toolCall = { index: this.#call.number, id: textAt(call, 'id'), name: textAt(called, 'name') };
      return [{ toolCall: { ...toolCall, arguments: text } }];
    }
    const index = this.#call.number;
    const isNothing = !this.#call.hasArguments && argumentsOf(text) === '{}';
    if (type === 'tool-call-delta' && !isNothing) {
      this.#call.hasArguments = true;
      return [{ toolCall: { index, arguments: text } }];
    }
    return type === 'tool-call-end' && isNothing ? [{ toolCall: { index, arguments: '{}' } }] : [];
  }
}

const piece = (name: 'content' | 'reasoning', text: string): readonly ChatDelta[] =>
  text === '' ? [] : [{ [name]: text }];

/** A call of a tool without parameters has empty or `null` arguments. */
export const argumentsOf = (json: string) => (json.trim() === '' || json.trim() === 'null' ? '{}' : json);

export function finishReasonOf(reason: string, words: string): FinishReason {
  const known = finishReasons[reason];
  if (known !== undefined) return known;
  throw new UpstreamProblem(502, words || 'The upstream aborted the response', reason || null);
}

const finishReasons: Readonly<Record<string, FinishReason | undefined>> = {
  COMPLETE: 'stop',
  STOP_SEQUENCE: 'stop',
  MAX_TOKENS: 'length',
  ERROR_LIMIT: 'length',
  TOOL_CALL: 'tool_calls',
  ERROR_TOXIC: 'content_filter',
};

/** All tokens read and written, not only the billed ones; cached tokens are included. */
export function usageOf(source: unknown): Usage | undefined {
  const usage = objectAt(source, 'usage');
  const count = (name: string) => numberAt(objectAt(usage, 'tokens'), name);
  const billed = (name: string) => numberAt(objectAt(usage, 'billed_units'), name);
  const prompt = count('input_tokens') ?? billed('input_tokens');
  if (prompt === undefined) return undefined;
  const cached = numberAt(usage, 'cached_tokens') ?? 0;
  const thoughts = count('reasoning_tokens') ?? 0;
  return {
    promptTokens: prompt + (count('image_tokens') ?? 0),
    completionTokens: count('output_tokens') ?? billed('output_tokens') ?? 0,
    ...(cached > 0 && { cachedTokens: cached }),
    ...(thoughts > 0 && { reasoningTokens: thoughts }),
  };
}
