import type { ReasoningBlock, ReasoningVendor } from './chat/reasoning-block.ts';
import { isObject, type JsonObject } from './json-fields.ts';
import { listAt, textAt } from './upstream-fields.ts';

/** Format names used by OpenRouter's clients, by vendor: OpenAI's chat has no field for the vendor of a signature. */
const formats: Readonly<Record<ReasoningVendor, string>> = {
  anthropic: 'anthropic-claude-v1',
  google: 'google-gemini-v1',
  openai: 'openai-responses-v1',
};

/** Writes reasoning with its signature, which the client sends back in its next turn. */
export function reasoningDetail({ text, maker, signature, sealed, id }: ReasoningBlock, index: number): JsonObject {
  const otherFields = { ...(maker && { format: formats[maker] }), ...(id !== undefined && { id }), index };
  if (sealed !== undefined) return { type: 'reasoning.encrypted', data: sealed, ...otherFields };
  return { type: 'reasoning.text', text, ...(signature !== undefined && { signature }), ...otherFields };
}

/** Reads reasoning that a client sent back, in OpenRouter's format or LiteLLM's. */
export function readReasoningDetails(message: JsonObject): readonly ReasoningBlock[] {
  const details = listAt(message, 'reasoning_details').flatMap(readDetail);
  return details.length > 0 ? details : listAt(message, 'thinking_blocks').flatMap(readThinkingBlock);
}

function readDetail(value: unknown): readonly ReasoningBlock[] {
  if (!isObject(value)) return [];
  const format = textAt(value, 'format');
  const maker = makers.find((name) => formats[name] === format);
  const id = textAt(value, 'id');
  const otherFields = { ...(maker && { maker }), ...(id !== '' && { id }) };
  const sealed = textAt(value, 'data');
  if (value['type'] === 'reasoning.encrypted') return sealed === '' ? [] : [{ text: '', sealed, ...otherFields }];
  if (value['type'] !== 'reasoning.text') return [];
  const signature = textAt(value, 'signature');
  return [{ text: textAt(value, 'text'), ...(signature !== '' && { signature }), ...otherFields }];
}

function readThinkingBlock(value: unknown): readonly ReasoningBlock[] {
  if (!isObject(value)) return [];
  const maker = 'anthropic';
  if (value['type'] === 'redacted_thinking') return [{ text: '', maker, sealed: textAt(value, 'data') }];
  if (value['type'] !== 'thinking') return [];
  const signature = textAt(value, 'signature');
  return [{ text: textAt(value, 'thinking'), maker, ...(signature !== '' && { signature }) }];
}

const makers = Object.keys(formats) as readonly ReasoningVendor[];
