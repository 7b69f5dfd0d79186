import {
  type ChatResponse,
  gemini as geminiDialect,
  isObject,
  listAt,
  numberAt,
  objectAt,
  textAt,
} from '@headgate/dialects';
import { type Recording, recordingsOf } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../provider.ts';
import { testUpstream } from '../testing/chat-cases.ts';
import { readStreamedResponse } from '../testing/chat-suite.ts';
import { chat } from './chat.ts';
import { readGeminiProblem } from './generate-response.ts';
import { embeddings, gemini } from './index.ts';

for (const provider of ['gemini', 'vertexai']) {
  describe(`recorded ${provider} responses`, () => {
    const recordings = recordingsOf(provider);
    const usable = recordings.map((recording) => ({ ...recording, pieces: piecesIn(recording) }));
    const whole = usable.filter(({ json, pieces }) => json !== undefined && pieces.length === 1);
    const streams = usable.filter(({ json, pieces }) => json === undefined && pieces.length > 0);

    test.each(whole)('reads $name without loss', ({ json, pieces }) => {
      expect(comparable(chat.decode?.(json))).toEqual(expectedResult(pieces));
    });

    test.each(streams)('streams $name without loss', ({ bytes, pieces }) => {
      expect(comparable(readStreamedResponse(chat, [bytes]))).toEqual(expectedResult(pieces));
    });

    test('the recordings cover both kinds of responses', () => {
      expect(whole.length).toBeGreaterThan(5);
      expect(streams.length).toBeGreaterThan(2);
    });

    test.each(recordings.filter(({ status, json }) => status >= 400 && isObject(json)))(
      'reads $name as an error with its message',
      ({ status, json }) => {
        const problem = readGeminiProblem(status, json);
        expect(problem.message).toBe(textAt(objectAt(json, 'error'), 'message'));
        expect([400, 401, 403, 404, 429]).toContain(problem.status);
      },
    );

    const generations = recordings.filter(
      ({ url, requestBody }) => isGeneration(url) && !referencesStoredFile(requestBody),
    );

    test.each(generations)("reads the request of $name in Gemini's format", ({ url, requestBody }) => {
      const model = /models\/([^:]+):/.exec(url)?.[1] ?? '';
      const { messages } = geminiDialect.readRequest(JSON.parse(requestBody) as JsonObject, { model });
      expect(messages.length).toBeGreaterThan(0);
    });

    test.each(recordings.filter(({ json }) => listAt(json, 'embeddings').length > 0))(
      'reads the embeddings of $name',
      ({ json }) => {
        const response = embeddings.decode(json, testUpstream);
        const vectors = listAt(json, 'embeddings').map((row) => listAt(row, 'values'));
        expect('reply' in response && listAt(response.reply, 'data').map((row) => listAt(row, 'embedding'))).toEqual(
          vectors,
        );
      },
    );

    test.each(recordings.filter(({ json }) => listAt(json, 'models').length > 0))(
      'reads the models of $name',
      ({ json }) => {
        expect(gemini.modelList?.read(json).every((name) => !name.includes('/'))).toBe(true);
      },
    );
  });
}

const isGeneration = (url: string) => /:(?:stream)?generateContent/i.test(url);

/**
 * True if a request references a file in the account; such requests are rejected, because the file may belong to
 * another client.
 */
const referencesStoredFile = (body: string) => /"fileUri":\s*"https:\/\/generativelanguage/.test(body);

/** Chunks of a whole or streamed `generateContent` response; empty if the recording is of another endpoint. */
function piecesIn({ json, bytes, status }: Recording): readonly JsonObject[] {
  if (status !== 200) return [];
  const pieces =
    json === undefined
      ? [...bytes.toString('utf8').matchAll(/^data: ?(\{.*\})\r?$/gm)].map(
          ([, data]) => JSON.parse(data ?? '') as unknown,
        )
      : [json];
  const responses = pieces.filter(isObject);
  // Numeric enumerations are another encoding of the protocol, which the gateway never requests.
  const isOurs = responses.some((piece) => textAt(listAt(piece, 'candidates')[0], 'finishReason') !== '');
  return isOurs ? responses : [];
}

/** Expected result, from a simple scan of the recording that shares no code with the decoder. */
function expectedResult(pieces: readonly JsonObject[]) {
  const parts = pieces
    .flatMap((piece) => listAt(piece, 'candidates'))
    .flatMap((candidate) => listAt(objectAt(candidate, 'content'), 'parts'))
    .filter(isObject);
  const join = (wanted: (part: JsonObject) => boolean) =>
    parts.map((part) => (wanted(part) ? textAt(part, 'text') : '')).join('');
  const calls = parts.filter((part) => isObject(part['functionCall']));
  const usage = pieces
    .map((piece) => objectAt(piece, 'usageMetadata'))
    .findLast(({ promptTokenCount }) => promptTokenCount);
  const count = (name: string) => numberAt(usage, name) ?? 0;
  const reason = pieces.map((piece) => textAt(listAt(piece, 'candidates')[0], 'finishReason')).find(Boolean);
  return {
    content: join((part) => part['thought'] !== true),
    reasoning: join((part) => part['thought'] === true),
    calls: calls.map((part) => [
      textAt(part['functionCall'], 'name'),
      objectAt(part['functionCall'], 'args'),
      textAt(part, 'thoughtSignature'),
    ]),
    finishReason: reason === 'STOP' ? (calls.length > 0 ? 'tool_calls' : 'stop') : 'content_filter',
    prompt: count('promptTokenCount') + count('toolUsePromptTokenCount'),
    completion: count('candidatesTokenCount') + count('thoughtsTokenCount'),
    cached: count('cachedContentTokenCount'),
    thoughts: count('thoughtsTokenCount'),
  };
}

function comparable(response: ChatResponse | undefined) {
  const choice = response?.choices[0];
  return {
    content: choice?.content.replaceAll(/!\[image\]\(data:[^)]*\)/g, ''),
    reasoning: choice?.reasoning ?? '',
    calls: (choice?.toolCalls ?? []).map(({ name, arguments: json, thoughtSignature = '' }) => [
      name,
      JSON.parse(json) as unknown,
      thoughtSignature,
    ]),
    finishReason: choice?.finishReason,
    prompt: response?.usage?.promptTokens ?? 0,
    completion: response?.usage?.completionTokens ?? 0,
    cached: response?.usage?.cachedTokens ?? 0,
    thoughts: response?.usage?.reasoningTokens ?? 0,
  };
}
