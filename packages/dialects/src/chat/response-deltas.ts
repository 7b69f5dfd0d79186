import type { ChatChoice, ChatDelta, ChatResponse } from './chat-response.ts';
import { unsignedReasoning } from './reasoning-block.ts';

/** Splits a whole response into deltas, for a stream whose upstream does not stream. */
export const deltasOf = ({ choices }: ChatResponse): readonly ChatDelta[] =>
  choices.flatMap((reply, choice) => piecesOf(reply).map((piece) => (choice === 0 ? piece : { choice, ...piece })));

function piecesOf(choice: ChatChoice): readonly ChatDelta[] {
  const { content, thoughts = [], refusal, citations = [], images = [], toolCalls = [], audio } = choice;
  const { finishReason, stopSequence } = choice;
  const unsealed = unsignedReasoning(choice);
  return [
    ...(unsealed === '' ? [] : [{ reasoning: unsealed }]),
    // Without this, the text would be attributed to the following reasoning block, whose signature does not cover it.
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
