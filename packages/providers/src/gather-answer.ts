import type { ChatAnswer, ChatChoice, ChatDelta, FinishReason, ToolCall, ToolCallDelta, Usage } from './chat-answer.ts';

/** Puts the pieces of a stream together to the answer it would have been in one piece. */
export class AnswerGatherer {
  readonly #choices = new Map<number, Gathering>();

  add(delta: ChatDelta): void {
    if (delta.startsAnew) this.#choices.clear();
    const index = delta.choice ?? 0;
    const choice = this.#choices.get(index) ?? newGathering();
    this.#choices.set(index, choice);
    choice.content += delta.content ?? '';
    choice.reasoning += delta.reasoning ?? '';
    choice.finishReason = delta.finishReason ?? choice.finishReason;
    if (delta.toolCall) addCall(choice.calls, delta.toolCall);
    if (delta.audio !== undefined) choice.sounds.push(delta.audio);
  }

  /** Undefined when a choice has not come to its end. */
  answer(usage: Usage | undefined): ChatAnswer | undefined {
    const choices: ChatChoice[] = [];
    for (const { content, reasoning, calls, sounds, finishReason } of this.#choices.values()) {
      if (finishReason === undefined) return undefined;
      choices.push({
        content,
        ...(reasoning !== '' && { reasoning }),
        ...(calls.size > 0 && { toolCalls: inOrder(calls) }),
        ...(sounds.length > 0 && { audio: joined(sounds) }),
        finishReason,
      });
    }
    return choices.length === 0 ? undefined : { choices, usage };
  }
}

/** Numbers of calls are an upstream's, and may be any. */
function addCall(calls: Map<number, ToolCall>, { index, ...piece }: ToolCallDelta): void {
  const call: ToolCall = calls.get(index) ?? { id: '', name: '', arguments: '' };
  const thoughtSignature = call.thoughtSignature ?? piece.thoughtSignature;
  calls.set(index, {
    id: call.id || (piece.id ?? ''),
    name: call.name || (piece.name ?? ''),
    arguments: call.arguments + piece.arguments,
    ...(thoughtSignature !== undefined && { thoughtSignature }),
  });
}

const inOrder = (calls: ReadonlyMap<number, ToolCall>): readonly ToolCall[] =>
  [...calls].sort(([one], [other]) => one - other).map(([, call]) => call);

/** Each piece of base64 may have an end of its own, so they are joined as bytes. */
function joined([first = '', ...others]: readonly string[]): string {
  if (others.length === 0) return first;
  return Buffer.concat([first, ...others].map((sound) => Buffer.from(sound, 'base64'))).toString('base64');
}

const newGathering = (): Gathering => ({
  content: '',
  reasoning: '',
  calls: new Map(),
  sounds: [],
  finishReason: undefined,
});

interface Gathering {
  content: string;
  reasoning: string;
  readonly calls: Map<number, ToolCall>;
  readonly sounds: string[];
  finishReason: FinishReason | undefined;
}
