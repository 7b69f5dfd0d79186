import type { ChatChoice, ChatResponse, ToolCall } from '../chat/chat-response.ts';
import { unsignedReasoning } from '../chat/reasoning-block.ts';
import type { ResponseEnvelope } from '../dialect.ts';
import type { JsonObject } from '../json-fields.ts';
import { parseJsonObject } from '../parse-json.ts';
import { callSignature, writeReasoningBlock } from './reasoning-blocks.ts';
import { citationFields, messageId, stopFields, usageFields } from './response-fields.ts';

/** A whole response in Anthropic's format, with one choice and without images or audio. */
export function writeResponse({ choices, usage }: ChatResponse, reply: ResponseEnvelope): string {
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

function contentOf(choice: ChatChoice, reply: ResponseEnvelope): readonly JsonObject[] {
  const { content, thoughts = [], refusal = '', citations = [], toolCalls = [] } = choice;
  const unsealed = unsignedReasoning(choice);
  return [
    ...(unsealed === '' ? [] : [writeReasoningBlock({ text: unsealed })]),
    ...thoughts.map(writeReasoningBlock),
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
  ...(thoughtSignature === undefined ? [] : [writeReasoningBlock(callSignature(thoughtSignature))]),
  { type: 'tool_use', id, name, input: inputOf(json) },
];

/** Id of a call, which its result refers to. */
export const callId = (id: string | undefined, reply: ResponseEnvelope, index: number): string =>
  id || `toolu_${reply.id}_${index}`;

/** Parses the arguments of a call; truncated arguments become an empty object. */
const inputOf = (json: string): JsonObject => parseJsonObject(json) ?? {};
