import { promptCacheKey } from '../conversation.ts';
import type { Dialect } from '../dialect.ts';
import { isObject, type JsonObject } from '../json-fields.ts';
import { commonMessageFields } from '../message-fields.ts';
import { attachmentOf } from './attachments.ts';
import { itemReferencesIn, withoutItems } from './item-references.ts';
import { readOutline } from './read-outline.ts';
import { readRequest } from './read-request.ts';
import { serverToolsIn, withoutServerTools } from './server-tools.ts';
import { storedFileIn } from './stored-files.ts';
import { responseStorage } from './stored-responses.ts';
import { writeError, writeErrorEvent } from './write-error.ts';
import { ResponseWriter, writeResponse } from './write-response.ts';

export const openaiResponses: Dialect = {
  name: 'openai-responses',
  path: '/v1/responses',
  readOutline,
  readRequest,
  serverToolsIn,
  withoutServerTools,
  storedFileIn,
  conversationIn: promptCacheKey,
  itemReferencesIn,
  withoutItems,
  storage: responseStorage,
  withSystemPrompt,
  limitField: 'max_output_tokens',
  prompt: {
    ...commonMessageFields,
    input: 'input',
    otherFields: ['instructions', 'tools', 'text'],
    nested: ['content', 'output', 'summary'],
    words: ['arguments', 'input', 'action', 'encrypted_content'],
    attachmentOf,
  },
  writeResponse,
  openStream: (reply) => new ResponseWriter(reply),
  writeError,
  writeErrorEvent,
};

/** Replaces the system prompt, in whichever field it is, or adds one at the start. */
function withSystemPrompt({ instructions, input }: JsonObject, systemPrompt: string): JsonObject {
  const [first, ...rest] = Array.isArray(input) ? (input as readonly unknown[]) : [];
  const isOwn = !instructions && isObject(first) && (first['role'] === 'system' || first['role'] === 'developer');
  return isOwn ? { input: [{ ...first, content: systemPrompt }, ...rest] } : { instructions: systemPrompt };
}
