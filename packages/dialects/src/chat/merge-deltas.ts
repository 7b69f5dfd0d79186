import type { InlineData } from '../data-url.ts';
import type {
  ChatChoice,
  ChatDelta,
  ChatResponse,
  Citation,
  FinishReason,
  ToolCall,
  ToolCallDelta,
  Usage,
} from './chat-response.ts';
import type { ReasoningBlock } from './reasoning-block.ts';

/** Merges the deltas of a stream into a whole response. */
export class DeltaMerger {
  readonly #choices = new Map<number, Gathering>();

  add(delta: ChatDelta): void {
    if (delta.restarts) this.#choices.clear();
    const index = delta.choice ?? 0;
    const choice = this.#choices.get(index) ?? newGathering();
    this.#choices.set(index, choice);
    choice.content += delta.content ?? '';
    choice.reasoning += delta.reasoning ?? '';
    choice.unsealed += delta.reasoning ?? '';
    choice.refusal += delta.refusal ?? '';
    choice.finishReason = delta.finishReason ?? choice.finishReason;
    choice.stopSequence = delta.stopSequence ?? choice.stopSequence;
    addItems(choice, delta);
  }

  /** Undefined when a choice is incomplete. */
  answer(usage: Usage | undefined): ChatResponse | undefined {
    const choices: ChatChoice[] = [];
    for (const [, choice] of [...this.#choices].sort(([one], [other]) => one - other)) {
      if (choice.finishReason === undefined) return undefined;
      choices.push(gathered(choice, choice.finishReason));
    }
    return choices.length === 0 ? undefined : { choices, usage };
  }
}

function gathered(choice: Gathering, finishReason: FinishReason): ChatChoice {
  const { content, reasoning, refusal, thoughts, citations, images, calls, sounds, stopSequence } = choice;
  return {
    content,
    ...(reasoning !== '' && { reasoning }),
    ...(thoughts.length > 0 && { thoughts }),
    ...(refusal !== '' && { refusal }),
    ...(citations.length > 0 && { citations }),
    ...(images.length > 0 && { images }),
    ...(calls.size > 0 && { toolCalls: inOrder(calls) }),
    ...(sounds.length > 0 && { audio: joined(sounds) }),
    finishReason,
    ...(stopSequence !== undefined && { stopSequence }),
  };
}

/**
 * Ends a reasoning block: its text arrived since the previous block. Slicing it from the whole text would copy the
 * text each time.
 */
function addThought(choice: Gathering, seal: ReasoningBlock): void {
  const text = seal.sealed === undefined ? choice.unsealed : '';
  if (text !== '') choice.unsealed = '';
  choice.thoughts.push({ ...seal, text });
}

function addItems(choice: Gathering, { toolCall, audio, citation, image, thought }: ChatDelta): void {
  if (toolCall) addCall(choice.calls, toolCall);
  if (audio !== undefined) choice.sounds.push(audio);
  if (citation) choice.citations.push(citation);
  if (image) choice.images.push(image);
  if (thought) addThought(choice, thought);
}

/** Call indexes come from the upstream and may be any number. */
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

/** Each base64 piece may have its own padding, so the pieces are joined as bytes. */
function joined([first = '', ...others]: readonly string[]): string {
  if (others.length === 0) return first;
  return Buffer.concat([first, ...others].map((sound) => Buffer.from(sound, 'base64'))).toString('base64');
}

const newGathering = (): Gathering => ({
  content: '',
  reasoning: '',
  refusal: '',
  thoughts: [],
  unsealed: '',
  citations: [],
  images: [],
  calls: new Map(),
  sounds: [],
  finishReason: undefined,
  stopSequence: undefined,
});

interface Gathering {
  content: string;
  reasoning: string;
  refusal: string;
  readonly thoughts: ReasoningBlock[];
  /** Part of `reasoning` that does not belong to a reasoning block yet. */
  unsealed: string;
  readonly citations: Citation[];
  readonly images: InlineData[];
  readonly calls: Map<number, ToolCall>;
  readonly sounds: string[];
  finishReason: FinishReason | undefined;
  stopSequence: string | undefined;
}
