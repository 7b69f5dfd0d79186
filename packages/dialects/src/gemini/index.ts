import { isMeasurableAudio } from '../audio-length.ts';
import type { Attachment, Dialect } from '../dialect.ts';
import { commonMessageFields, isObject, type JsonObject } from '../json-fields.ts';
import { readSystemFileField, type StoredFile } from '../stored-files.ts';
import { listAt, textAt } from '../upstream-fields.ts';
import { findServerTools, withoutServerTools } from './read-config.ts';
import { readOutline, readRequest } from './read-request.ts';
import { GeminiChunkWriter, writeError, writeErrorEvent, writeResponse } from './write-response.ts';

export const gemini: Dialect = {
  name: 'gemini',
  path: '/v1beta/models',
  readOutline,
  readRequest,
  findServerTools,
  withoutServerTools,
  withSystemPrompt,
  readStoredFile,
  limitField: 'generationConfig.maxOutputTokens',
  prompt: {
    ...commonMessageFields,
    input: 'contents',
    otherFields: ['systemInstruction', 'system_instruction', 'tools', 'generationConfig', 'generation_config'],
    nested: ['parts', 'functionResponse', 'function_response'],
    textFields: ['functionCall', 'function_call', 'response'],
    toAttachment,
  },
  writeResponse,
  openStream: (reply) => new GeminiChunkWriter(reply),
  writeError,
  writeErrorEvent,
};

function readStoredFile(body: JsonObject, allowed: readonly string[]): StoredFile | undefined {
  for (const name of ['systemInstruction', 'system_instruction']) {
    const system = body[name];
    const found = readSystemFileField(typeof system === 'string' ? system : listAt(system, 'parts'), name, allowed);
    if (found) return found;
  }
  return undefined;
}

/** Sets the system prompt in the spelling that the client uses. */
function withSystemPrompt(body: JsonObject, systemPrompt: string): JsonObject {
  const systemInstruction = { parts: [{ text: systemPrompt }] };
  return { systemInstruction, ...('system_instruction' in body && { system_instruction: undefined }) };
}

/** Formats with a minimum number of bytes per second. */
const measuredSound = /^audio\/(?:x-)?(?:wav|wave|mp3|mpeg)\b/;

/** Non-text content of a part, in either spelling. Unknown or ambiguous content is counted as text, by bytes. */
function toAttachment(part: JsonObject): Attachment | undefined {
  if (isObject(part['fileData'] ?? part['file_data'])) return { kind: 'elsewhere' };
  const blob = part['inlineData'] ?? part['inline_data'];
  if (!isObject(blob) || part['text'] !== undefined) return undefined;
  const type = (textAt(blob, 'mimeType') || textAt(blob, 'mime_type')).toLowerCase();
  const data = textAt(blob, 'data');
  const characters = data.length;
  if (type.startsWith('image/')) return { kind: 'image', characters };
  return { kind: measuredSound.test(type) && isMeasurableAudio(data) ? 'sound' : 'unmeasured', characters };
}
