import { promptCacheKey } from '../conversation.ts';
import type { Dialect, Failure } from '../dialect.ts';
import type { JsonObject } from '../json-fields.ts';
import { commonMessageFields } from '../message-fields.ts';
import { attachmentOf } from './attachments.ts';
import { callTexts } from './call-texts.ts';
import { readOutline } from './read-outline.ts';
import { readChatRequest } from './read-request.ts';
import { responseScan } from './response-scan.ts';
import { storedFileIn } from './stored-files.ts';
import { ChunkWriter, writeResponse } from './write-response.ts';

const errorBody = ({ message, type, param, code, requestId }: Failure): JsonObject => ({
  error: { message: `${message} (request id: ${requestId})`, type, param, code },
});

export const openaiChat: Dialect = {
  name: 'openai-chat',
  path: '/v1/chat/completions',
  readOutline,
  readRequest: readChatRequest,
  storedFileIn,
  conversationIn: promptCacheKey,
  withSystemPrompt,
  askForUsage: ({ stream_options: given }) => ({
    stream_options: { ...(typeof given === 'object' ? given : {}), include_usage: true },
  }),
  withoutUsageRequest: (body) => (body['stream_options'] === undefined ? {} : { stream_options: undefined }),
  limitField: 'max_tokens',
  scan: responseScan,
  prompt: {
    ...commonMessageFields,
    input: 'messages',
    isList: true,
    otherFields: ['tools', 'functions', 'response_format', 'suffix'],
    nested: ['content'],
    words: ['tool_calls'],
    callTexts,
    referencesAudio: ({ audio }) => typeof audio === 'object' && audio !== null,
    attachmentOf,
  },
  writeResponse,
  openStream: (reply) => new ChunkWriter(reply),
  writeError: (failure) => ({ status: failure.status, body: errorBody(failure) }),
  writeErrorEvent: (failure) => `data: ${JSON.stringify(errorBody(failure))}\n\n`,
};

/** Replaces the conversation's system prompt, or adds one at the start. */
function withSystemPrompt({ messages }: JsonObject, systemPrompt: string): JsonObject {
  if (!Array.isArray(messages)) return {};
  const [first] = messages as { role?: unknown }[];
  const hasOwn = first?.role === 'system' || first?.role === 'developer';
  const system = hasOwn ? { ...first, content: systemPrompt } : { role: 'system', content: systemPrompt };
  return { messages: [system, ...messages.slice(hasOwn ? 1 : 0)] };
}
