import type { Dialect } from '../dialect.ts';
import type { JsonObject } from '../json-fields.ts';
import { type KeptFile, spokenFileAt } from '../kept-files.ts';
import { listAt } from '../upstream-fields.ts';
import { usualMessageFields } from '../usual-message-fields.ts';
import { attachmentOf } from './attachments.ts';
import { readOutline } from './read-outline.ts';
import { readRequest } from './read-request.ts';
import { serverToolsIn, withoutServerTools } from './read-tools.ts';
import { PieceWriter, writeAnswer } from './write-answer.ts';
import { writeError, writeErrorEvent } from './write-error.ts';

export const gemini: Dialect = {
  name: 'gemini',
  path: '/v1beta/models',
  readOutline,
  readRequest,
  serverToolsIn,
  withoutServerTools,
  withSystemPrompt,
  keptFileIn,
  limitField: 'generationConfig.maxOutputTokens',
  prompt: {
    ...usualMessageFields,
    input: 'contents',
    beside: ['systemInstruction', 'system_instruction', 'tools', 'generationConfig', 'generation_config'],
    nested: ['parts', 'functionResponse', 'function_response'],
    words: ['functionCall', 'function_call', 'response'],
    attachmentOf,
  },
  writeAnswer,
  openStream: (reply) => new PieceWriter(reply),
  writeError,
  writeErrorEvent,
};

function keptFileIn(body: JsonObject, allowed: readonly string[]): KeptFile | undefined {
  for (const name of ['systemInstruction', 'system_instruction']) {
    const system = body[name];
    const found = spokenFileAt(typeof system === 'string' ? system : listAt(system, 'parts'), name, allowed);
    if (found) return found;
  }
  return undefined;
}

/** A top-level field, in either spelling. */
function withSystemPrompt(body: JsonObject, systemPrompt: string): JsonObject {
  const systemInstruction = { parts: [{ text: systemPrompt }] };
  return { systemInstruction, ...('system_instruction' in body && { system_instruction: undefined }) };
}
