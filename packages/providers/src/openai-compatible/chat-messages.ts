import {
  type AssistantMessage,
  type CacheMarked,
  type ChatMessage,
  type ContentPart,
  joinedReasoning,
  type ReasoningBlock,
  type ReasoningMaker,
  reasoningDetail,
  type ToolCall,
} from '@headgate/dialects';
import type { ExtraFeatures, JsonObject } from '../provider.ts';

/** Message features that this upstream and its model support. */
export interface MessageFeatures extends ExtraFeatures {
  readonly model: string;
}

export function encodeMessage(message: ChatMessage, words: MessageFeatures): JsonObject {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: encodeContent(message, words) };
    case 'user':
      return { role: 'user', content: encodeContent(message, words) };
    case 'assistant':
      return encodeAssistant(message, words);
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: encodeContent(message, words) };
  }
}

function encodeAssistant(message: AssistantMessage, words: MessageFeatures): JsonObject {
  const { parts, thoughts, toolCalls } = message;
  return {
    role: 'assistant',
    content: parts.length === 0 && toolCalls.length > 0 ? null : encodeContent(message, words),
    ...(toolCalls.length > 0 && {
      ...encodeThoughts(thoughts, words),
      tool_calls: toolCalls.map((call) => encodeCall(call, words)),
    }),
  };
}

interface Content extends CacheMarked {
  readonly parts: readonly ContentPart[];
}

/** Content with only text becomes one string, because not every vendor accepts a list. */
function encodeContent({ parts, cacheControl }: Content, { takesCacheMarks }: MessageFeatures): string | JsonObject[] {
  const isMarked = takesCacheMarks === true && (cacheControl ?? parts.some((part) => part.cacheControl));
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (!isMarked && texts.length === parts.length) return joined(texts);
  return parts.map((part, index) => {
    const mark = part.cacheControl ?? (index === parts.length - 1 ? cacheControl : undefined);
    return { ...encodePart(part), ...(takesCacheMarks && mark && { cache_control: mark }) };
  });
}

/**
 * Joins texts with a separator. Joined in one step, because V8 takes quadratic time when a growing string is read in
 * between.
 */
function joined(all: readonly string[]): string {
  const texts = all.filter((text) => text !== '');
  return texts.map((text, index) => (touches(texts[index - 1], text) ? `\n\n${text}` : text)).join('');
}

const touches = (text = '', next: string): boolean => /\S$/.test(text.slice(-1)) && /^\S/.test(next);

function encodePart(part: ContentPart): JsonObject {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'image': {
      const { image } = part;
      const url = 'url' in image ? image.url : `data:${image.mediaType};base64,${image.data}`;
      return { type: 'image_url', image_url: { url } };
    }
    case 'audio':
      return { type: 'input_audio', input_audio: { data: part.data, format: part.format } };
    case 'file': {
      const file_data = part.data.startsWith('data:') ? part.data : `data:application/pdf;base64,${part.data}`;
      return { type: 'file', file: { filename: part.name || 'document.pdf', file_data } };
    }
  }
}

const encodeCall = (
  { id, name, arguments: json, thoughtSignature }: ToolCall,
  { model }: MessageFeatures,
): JsonObject => ({
  id,
  type: 'function',
  function: { name, arguments: json },
  ...(thoughtSignature !== undefined &&
    modelMakerOf(model) === 'google' && { extra_content: { google: { thought_signature: thoughtSignature } } }),
});

/** Placeholder for reasoning that the client lost: vendors that require reasoning reject a call without it. */
const lostThoughts = ' ';

function encodeThoughts(thoughts: readonly ReasoningBlock[], { thoughtsField, model }: MessageFeatures): JsonObject {
  if (thoughtsField === 'reasoning_content') return { reasoning_content: joinedReasoning(thoughts) || lostThoughts };
  if (thoughtsField === undefined) return {};
  const own = thoughts.filter((thought) => isOwn(thought, modelMakerOf(model)));
  return own.length === 0 ? {} : { reasoning_details: own.map(reasoningDetail) };
}

/** Whether the reasoning may be sent to a model: a maker accepts only reasoning it signed; others accept text. */
const isOwn = ({ maker, signature, sealed }: ReasoningBlock, own: ReasoningMaker | undefined) =>
  own === undefined ? sealed === undefined : maker === own && (signature ?? sealed) !== undefined;

/** Maker of a model, by its name. */
export function modelMakerOf(model: string): ReasoningMaker | undefined {
  if (/claude/i.test(model)) return 'anthropic';
  if (/gemini/i.test(model)) return 'google';
  return /(?:^|\/)(?:o\d|gpt-\d)/i.test(model) ? 'openai' : undefined;
}
