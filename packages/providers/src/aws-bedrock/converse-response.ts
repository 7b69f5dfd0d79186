import {
  type ChatDelta,
  type ChatResponse,
  type FinishReason,
  isObject,
  listAt,
  numberAt,
  objectAt,
  parseFrame,
  type ToolCall,
  textAt,
  UpstreamProblem,
  type Usage,
} from '@headgate/dialects';
import type { StreamFrame } from '../frames.ts';
import type { StreamDecoder } from '../provider.ts';
import { throwBedrockException } from './problem.ts';

export function decodeConverse(body: unknown): ChatResponse {
  const message = objectAt(objectAt(body, 'output'), 'message');
  if (!Array.isArray(message['content'])) throw new UpstreamProblem(502, 'The upstream returned no content');
  const blocks = listAt(message, 'content');
  const reasoning = blocks
    .map((block) => textAt(objectAt(objectAt(block, 'reasoningContent'), 'reasoningText'), 'text'))
    .join('');
  const toolCalls = blocks.flatMap((block): ToolCall[] => {
    const call = objectAt(block, 'toolUse');
    const { toolUseId: id, name, input } = call;
    if (typeof id !== 'string' || typeof name !== 'string') return [];
    return [{ id, name, arguments: JSON.stringify(input ?? {}) }];
  });
  const choice = {
    content: blocks.map((block) => textAt(block, 'text')).join(''),
    ...(reasoning !== '' && { reasoning }),
    ...(toolCalls.length > 0 && { toolCalls }),
    finishReason: finishReasonOf(textAt(body, 'stopReason')),
  };
  return { choices: [choice], usage: usageIn(body) };
}

export class ConverseDecoder implements StreamDecoder {
  usage: Usage | undefined;
  /** Tool calls by block index. */
  readonly #calls = new Map<unknown, OpenCall>();
  #callCount = 0;
  #hasBegun = false;

  push(frame: StreamFrame): readonly ChatDelta[] {
    throwBedrockException(frame);
    const data = parseFrame(frame.data);
    const block = isObject(data) ? data['contentBlockIndex'] : undefined;
    switch (frame.event) {
      case 'messageStart':
        return this.#open();
      case 'contentBlockDelta':
        return this.#piece(block, objectAt(data, 'delta'));
      case 'contentBlockStart':
        return this.#start(block, objectAt(objectAt(data, 'start'), 'toolUse'));
      case 'contentBlockStop':
        return this.#stop(block);
      case 'messageStop':
        return [{ finishReason: finishReasonOf(textAt(data, 'stopReason')) }];
      case 'metadata':
        this.usage = usageIn(data);
        return [];
      default:
        return [];
    }
  }

  /** A second start discards the first. */
  #open(): readonly ChatDelta[] {
    const isAgain = this.#hasBegun;
    this.#hasBegun = true;
    if (isAgain) this.#calls.clear();
    return isAgain ? [{ restarts: true }] : [];
  }

  #start(block: unknown, call: unknown): readonly ChatDelta[] {
    const id = textAt(call, 'toolUseId');
    const name = textAt(call, 'name');
    if (id === '' || name === '') return [];
    const index = this.#callCount++;
    this.#calls.set(block, { index, hasArguments: false });
    return [{ toolCall: { index, id, name, arguments: '' } }];
  }

  #piece(block: unknown, delta: unknown): readonly ChatDelta[] {
    const content = textAt(delta, 'text');
    if (content !== '') return [{ content }];
    const reasoning = textAt(objectAt(delta, 'reasoningContent'), 'text');
    if (reasoning !== '') return [{ reasoning }];
    const json = textAt(objectAt(delta, 'toolUse'), 'input');
    const call = this.#calls.get(block);
    if (!call || json === '') return [];
    call.hasArguments = true;
    return [{ toolCall: { index: call.index, arguments: json } }];
  }

  #stop(block: unknown): readonly ChatDelta[] {
    const call = this.#calls.get(block);
    if (!call || call.hasArguments) return [];
    call.hasArguments = true;
    return [{ toolCall: { index: call.index, arguments: '{}' } }];
  }
}

function finishReasonOf(stopReason: string): FinishReason {
  switch (stopReason) {
    case 'tool_use':
      return 'tool_calls';
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    case 'guardrail_intervened':
    case 'content_filtered':
      return 'content_filter';
    default:
      return 'stop';
  }
}

/** Amazon's input does not include cache reads and writes. */
function usageIn(body: unknown): Usage | undefined {
  const usage = objectAt(body, 'usage');
  const input = numberAt(usage, 'inputTokens');
  const output = numberAt(usage, 'outputTokens');
  if (input === undefined && output === undefined) return undefined;
  const cached = numberAt(usage, 'cacheReadInputTokens') ?? 0;
  const written = numberAt(usage, 'cacheWriteInputTokens') ?? 0;
  const writtenLong = listAt(usage, 'cacheDetails').reduce<number>(
    (sum, part) => sum + (textAt(part, 'ttl') === '1h' ? (numberAt(part, 'inputTokens') ?? 0) : 0),
    0,
  );
  return {
    promptTokens: (input ?? 0) + cached + written,
    completionTokens: output ?? 0,
    ...(cached > 0 && { cachedTokens: cached }),
    ...(written > 0 && { cacheWriteTokens: written }),
    ...(writtenLong > 0 && { cacheLongWriteTokens: writtenLong }),
  };
}

interface OpenCall {
  readonly index: number;
  hasArguments: boolean;
}
