import type { ChatAnswer, ChatChoice, ChatDelta, FinishReason, ToolCall, Usage } from './chat-answer.ts';

/** Puts the pieces of a stream together to the answer it would have been in one piece. */
export class AnswerGatherer {
  readonly #choices = new Map<number, Gathering>();

  add(delta: ChatDelta): void {
    const index = delta.choice ?? 0;
    const choice = this.#choices.get(index) ?? { content: '', reasoning: '', calls: [], finishReason: undefined };
    this.#choices.set(index, choice);
    choice.content += delta.content ?? '';
    choice.reasoning += delta.reasoning ?? '';
    choice.finishReason = delta.finishReason ?? choice.finishReason;
    const { toolCall } = delta;
    if (!toolCall) return;
    const call = choice.calls[toolCall.index] ?? { id: '', name: '', arguments: '' };
    choice.calls[toolCall.index] = {
      id: call.id || (toolCall.id ?? ''),
      name: call.name || (toolCall.name ?? ''),
      arguments: call.arguments + toolCall.arguments,
    };
  }

  /** Undefined when a choice has not come to its end. */
  answer(usage: Usage | undefined): ChatAnswer | undefined {
    const choices: ChatChoice[] = [];
    for (const { content, reasoning, calls, finishReason } of this.#choices.values()) {
      if (finishReason === undefined) return undefined;
      choices.push({
        content,
        ...(reasoning !== '' && { reasoning }),
        ...(calls.length > 0 && { toolCalls: calls.filter(Boolean) }),
        finishReason,
      });
    }
    return choices.length === 0 ? undefined : { choices, usage };
  }
}

interface Gathering {
  content: string;
  reasoning: string;
  calls: ToolCall[];
  finishReason: FinishReason | undefined;
}
