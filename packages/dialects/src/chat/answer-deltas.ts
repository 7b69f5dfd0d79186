import type { ChatAnswer, ChatChoice, ChatDelta } from './chat-answer.ts';

/** A whole answer in pieces, for a stream whose upstream has none. */
export const deltasOf = ({ choices }: ChatAnswer): readonly ChatDelta[] =>
  choices.flatMap((answer, choice) => piecesOf(answer).map((piece) => (choice === 0 ? piece : { choice, ...piece })));

function piecesOf(choice: ChatChoice): readonly ChatDelta[] {
  const { content, reasoning, thoughts = [], refusal, citations = [], images = [], toolCalls = [], audio } = choice;
  const { finishReason, stopSequence } = choice;
  return [
    ...(reasoning === undefined || thoughts.length > 0 ? [] : [{ reasoning }]),
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
