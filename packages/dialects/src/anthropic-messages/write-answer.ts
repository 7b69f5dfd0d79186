import type { ChatAnswer, ChatChoice, ToolCall } from '../chat/chat-answer.ts';
import { unsealedReasoning } from '../chat/thought.ts';
import type { Reply } from '../dialect.ts';
import type { JsonObject } from '../json-fields.ts';
import { parseJsonObject } from '../parse-json.ts';
import { citationFields, messageId, stopFields, usageFields } from './reply-fields.ts';
import { callSignature, thoughtBlock } from './thoughts.ts';

/** A whole response in Anthropic's format, with one choice and without images or audio. */
export function writeAnswer({ choices, usage }: ChatAnswer, reply: Reply): string {
  const choice: ChatChoice = choices[0] ?? { content: '', finishReason: 'stop' };
  return JSON.stringify({
    id: messageId(reply),
    type: 'message',
    role: 'assistant',
    model: reply.model,
    content: contentOf(choice, reply),
    ...stopFields({ ...choice, hasCalls: (choice.toolCalls ?? []).length > 0 }),
    usage: usageFields(usage),
  });
}

function contentOf(choice: ChatChoice, reply: Reply): readonly JsonObject[] {
  const { content, thoughts = [], refusal = '', citations = [], toolCalls = [] } = choice;
  const unsealed = unsealedReasoning(choice);
  return [
    ...(unsealed === '' ? [] : [thoughtBlock({ text: unsealed })]),
    ...thoughts.map(thoughtBlock),
    ...(content === '' && citations.length === 0 ? [] : [textBlock(content, citations.map(citationFields))]),
    ...(refusal === '' ? [] : [textBlock(refusal, [])]),
    ...toolCalls.flatMap((call, index) => callBlocks(call, callId(call.id, reply, index))),
  ];
}

const textBlock = (text: string, citations: readonly JsonObject[]): JsonObject => ({
  type: 'text',
  text,
  ...(citations.length > 0 && { citations }),
});

const callBlocks = ({ name, arguments: json, thoughtSignature }: ToolCall, id: string): readonly JsonObject[] => [
  ...(thoughtSignature === undefined ? [] : [thoughtBlock(callSignature(thoughtSignature))]),
  { type: 'tool_use', id, name, input: inputOf(json) },
];

/** Id of a call, which its result refers to. */
export const callId = (id: string | undefined, reply: Reply, index: number): string =>
  id || `toolu_${reply.id}_${index}`;

/** Truncated arguments become an empty object. */
const inputOf = (json: string): JsonObject => parseJsonObject(json) ?? {};
