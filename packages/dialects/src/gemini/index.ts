import type { Dialect } from '../dialect.ts';
import type { JsonObject } from '../json-fields.ts';
import { commonMessageFields } from '../message-fields.ts';
import { type StoredFile, systemFileAt } from '../stored-files.ts';
import { listAt } from '../upstream-fields.ts';
import { attachmentOf } from './attachments.ts';
import { readOutline } from './read-outline.ts';
import { readRequest } from './read-request.ts';
import { serverToolsIn, withoutServerTools } from './read-tools.ts';
import { writeError, writeErrorEvent } from './write-error.ts';
import { GeminiChunkWriter, writeResponse } from './write-response.ts';

export const gemini: Dialect = {
  name: 'gemini',
  path: '/v1beta/models',
  readOutline,
  readRequest,
  serverToolsIn,
  withoutServerTools,
  withSystemPrompt,
  storedFileIn,
  limitField: 'generationConfig.maxOutputTokens',
  prompt: {
    ...commonMessageFields,
    input: 'contents',
    otherFields: ['systemInstruction', 'system_instruction', 'tools', 'generationConfig', 'generation_config'],
    nested: ['parts', 'functionResponse', 'function_response'],
    words: ['functionCall', 'function_call', 'response'],
    attachmentOf,
  },
  writeResponse,
  openStream: (reply) => new GeminiChunkWriter(reply),
  writeError,
  writeErrorEvent,
};

function storedFileIn(body: JsonObject, allowed: readonly string[]): StoredFile | undefined {
  for (const name of ['systemInstruction', 'system_instruction']) {
    const system = body[name];
    const found = systemFileAt(typeof system === 'string' ? system : listAt(system, 'parts'), name, allowed);
    if (found) return found;
  }
  return undefined;
}

/** Sets the system prompt in the spelling that the client uses. */
function withSystemPrompt(body: JsonObject, systemPrompt: string): JsonObject {
  const systemInstruction = { parts: [{ text: systemPrompt }] };
  return { systemInstruction, ...('system_instruction' in body && { system_instruction: undefined }) };
}
