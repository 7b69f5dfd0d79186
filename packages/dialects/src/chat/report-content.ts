import type { ContentListener } from '../response-scan.ts';
import type { ChatDelta, ChatResponse } from './chat-response.ts';
import type { ReasoningBlock } from './reasoning-block.ts';

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
  for (const [choice, said] of choices.entries()) {
    const { content, reasoning, refusal, toolCalls = [], audio, images = [], thoughts = [] } = said;
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
