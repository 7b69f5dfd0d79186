import type { Dialect } from '../dialect.ts';
import { isObject, type JsonObject } from '../json-fields.ts';
import { anthropicLimitHeaders } from '../limit-headers.ts';
import { commonMessageFields } from '../message-fields.ts';
import { attachmentOf } from './attachments.ts';
import { MessageWriter } from './message-writer.ts';
import { readOutline } from './read-outline.ts';
import { readMessagesRequest } from './read-request.ts';
import { serverToolsIn, withoutServerTools } from './server-tools.ts';
import { storedFileIn } from './stored-files.ts';
import { writeError, writeErrorEvent } from './write-error.ts';
import { writeResponse } from './write-response.ts';

export const anthropicMessages: Dialect = {
  name: 'anthropic-messages',
  requestIdHeader: 'request-id',
  limitHeaders: anthropicLimitHeaders,
  path: '/v1/messages',
  readOutline,
  readRequest: readMessagesRequest,
  serverToolsIn,
  withoutServerTools,
  storedFileIn,
  conversationIn,
  withSystemPrompt: (_body, systemPrompt) => ({ system: systemPrompt }),
  limitField: 'max_tokens',
  prompt: {
    ...commonMessageFields,
    input: 'messages',
    isList: true,
    otherFields: ['system', 'tools', 'output_config', 'output_format'],
    nested: ['content', 'source'],
    words: ['input', 'thinking', 'title', 'context'],
    attachmentOf,
  },
  writeResponse,
  openStream: (reply) => new MessageWriter(reply),
  writeError,
  writeErrorEvent,
};

/** Claude Code sends its session id next to the user id. */
function conversationIn({ metadata }: JsonObject): string | undefined {
  const user = isObject(metadata) ? metadata['user_id'] : undefined;
  return typeof user === 'string' && user !== '' ? user : undefined;
}
