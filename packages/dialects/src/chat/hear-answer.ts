import type { AnswerListener } from '../answer-scan.ts';
import type { ChatAnswer, ChatDelta } from './chat-answer.ts';
import type { Thought } from './thought.ts';

/** Reports the content of a delta to a listener. */
export function hearDelta(delta: ChatDelta, listener: AnswerListener): void {
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
  if (audio !== undefined) listener.sound(audio.length);
  if (image) listener.pictures(1);
  if (thought) hearThought(thought, listener);
}

/** Encrypted reasoning; its text arrives separately. */
function hearThought({ sealed = '', signature = '' }: Thought, listener: AnswerListener): void {
  listener.sealed(sealed.length);
  listener.signature(signature.length);
}

/** Reports the content of a whole response to a listener. */
export function hearAnswer({ choices }: ChatAnswer, listener: AnswerListener): void {
  for (const [choice, said] of choices.entries()) {
    const { content, reasoning, refusal, toolCalls = [], audio, images = [], thoughts = [] } = said;
    listener.text(`${choice}`, content);
    if (reasoning !== undefined) listener.text(`${choice} reasoning`, reasoning);
    if (refusal !== undefined) listener.text(`${choice} refusal`, refusal);
    if (audio !== undefined) listener.sound(audio.length);
    listener.pictures(images.length);
    for (const thought of thoughts) hearThought(thought, listener);
    for (const [index, call] of toolCalls.entries()) {
      listener.text(`${choice} call ${index}`, call.name + call.arguments);
      listener.signature(call.thoughtSignature?.length ?? 0);
    }
  }
}
