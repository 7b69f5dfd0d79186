import type { InlineData } from '../data-url.ts';
import type { ContentListener } from '../response-scan.ts';
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
import { type ReasoningBlock, unsignedReasoning } from './reasoning-block.ts';

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
  response(usage: Usage | undefined): ChatResponse | undefined {
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
 * Ends a reasoning block: its text arrived since the previous block. Slicing it from the full text would copy that text
 * each time.
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

/** Each base64 chunk may have its own padding, so the chunks are joined as bytes. */
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

/** Splits a whole response into deltas, for a stream whose upstream does not stream. */
export const toDeltas = ({ choices }: ChatResponse): readonly ChatDelta[] =>
  choices.flatMap((reply, choice) => piecesOf(reply).map((piece) => (choice === 0 ? piece : { choice, ...piece })));

function piecesOf(choice: ChatChoice): readonly ChatDelta[] {
  const { content, thoughts = [], refusal, citations = [], images = [], toolCalls = [], audio } = choice;
  const { finishReason, stopSequence } = choice;
  const unsealed = unsignedReasoning(choice);
  return [
    ...(unsealed === '' ? [] : [{ reasoning: unsealed }]),
    // Otherwise the text would be attributed to the next reasoning block, whose signature does not cover it.
    ...(unsealed === '' || thoughts.length === 0 ? [] : [{ thought: { text: '' } }]),
    ...thoughts.flatMap(({ text, ...seal }) => [
      ...(text === '' ? [] : [{ reasoning: text }]),
      { thought: { text: '', ...seal } },
    ]),
    ...(content === '' ? [] : [{ content }]),
    ...(refusal === undefined ? [] : [{ refusal }]),
    ...citations.map((citation) => ({ citation })),
    ...images.map((image) => ({ image })),
    ...(audio === undefined ? [] : [{ audio }]),
    ...toolCalls.map((call, index) => ({ toolCall: { index, ...call } })),
    { finishReason, ...(stopSequence !== undefined && { stopSequence }) },
  ];
}

/** Reports the content of a delta to a listener. */
export function reportDelta(delta: ChatDelta, listener: ContentListener): void {
  const { choice = 0, content, reasoning, refusal, toolCall, audio, image, thought } = delta;
  if (content !== undefined) listener.text(`${choice}`, content);
  if (reasoning !== undefined) listener.text(`${choice} reasoning`, reasoning);
  if (refusal !== undefined) listener.text(`${choice} refusal`, refusal);
  if (toolCall) {
    const thread = `${choice} call ${toolCall.index}`;
    if (toolCall.name !== undefined) listener.text(thread, toolCall.name);
    listener.text(thread, toolCall.arguments);
    if (toolCall.thoughtSignature !== undefined) listener.signature(toolCall.thoughtSignature.length);
  }
  if (audio !== undefined) listener.audio(audio.length);
  if (image) listener.images(1);
  if (thought) reportThought(thought, listener);
}

/** Encrypted reasoning; its text arrives separately. */
function reportThought({ sealed = '', signature = '' }: ReasoningBlock, listener: ContentListener): void {
  listener.encrypted(sealed.length);
  listener.signature(signature.length);
}

/** Reports the content of a whole response to a listener. */
export function reportChatResponse({ choices }: ChatResponse, listener: ContentListener): void {
  for (const [choice, message] of choices.entries()) {
    const { content, reasoning, refusal, toolCalls = [], audio, images = [], thoughts = [] } = message;
    listener.text(`${choice}`, content);
    if (reasoning !== undefined) listener.text(`${choice} reasoning`, reasoning);
    if (refusal !== undefined) listener.text(`${choice} refusal`, refusal);
    if (audio !== undefined) listener.audio(audio.length);
    listener.images(images.length);
    for (const thought of thoughts) reportThought(thought, listener);
    for (const [index, call] of toolCalls.entries()) {
      listener.text(`${choice} call ${index}`, call.name + call.arguments);
      listener.signature(call.thoughtSignature?.length ?? 0);
    }
  }
}
