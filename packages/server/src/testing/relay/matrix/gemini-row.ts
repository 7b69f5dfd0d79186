import { isObject, type JsonObject, listAt, numberAt, objectAt, textAt } from '@headgate/dialects';
import { tool } from '@headgate/testkit';
import { expect } from 'vitest';
import {
  attachments,
  type ChatCase,
  type DialectRow,
  type Finish,
  imageData,
  imageType,
  schema,
  type Turn,
} from './matrix.ts';

export const geminiRow: DialectRow = {
  name: 'Gemini’s contents',
  headers: (key) => ({ 'x-goog-api-key': key }),
  path: ({ model, isStream }) =>
    `/v1beta/models/${model}:${isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  body: (chatCase) => ({
    contents: chatCase.turns.map(contentOf),
    ...(chatCase.system !== undefined && { systemInstruction: { parts: [{ text: chatCase.system }] } }),
    ...(chatCase.hasTools && {
      tools: [
        {
          functionDeclarations: [
            { name: tool.name, description: tool.description, parametersJsonSchema: tool.parameters },
          ],
        },
      ],
    }),
    ...(chatCase.forcesTool && {
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['weather'] } },
    }),
    generationConfig: configOf(chatCase),
  }),
  read(body) {
    const [candidate] = listAt(body, 'candidates');
    const parts = listAt(objectAt(candidate, 'content'), 'parts').filter(isObject);
    const textsOf = (isThought: boolean) =>
      parts.map((part) => ((part['thought'] === true) === isThought ? textAt(part, 'text') : '')).join('');
    const calls = parts.flatMap(({ functionCall }) =>
      isObject(functionCall)
        ? [{ id: textAt(functionCall, 'id'), name: textAt(functionCall, 'name'), input: functionCall['args'] }]
        : [],
    );
    const usage = objectAt(body, 'usageMetadata');
    const thoughts = numberAt(usage, 'thoughtsTokenCount') ?? 0;
    return {
      text: textsOf(false),
      reasoning: textsOf(true),
      calls,
      finish: finishOf(textAt(candidate, 'finishReason'), calls.length > 0),
      usage: {
        prompt: numberAt(usage, 'promptTokenCount') ?? 0,
        completion: (numberAt(usage, 'candidatesTokenCount') ?? 0) + thoughts,
        cached: numberAt(usage, 'cachedContentTokenCount') ?? 0,
        reasoning: thoughts,
      },
      echo: parts,
    };
  },
  gather(events) {
    const candidates = events.flatMap((event) => listAt(event, 'candidates'));
    const parts = candidates.flatMap((candidate) => listAt(objectAt(candidate, 'content'), 'parts'));
    const finishReason = candidates.map((candidate) => textAt(candidate, 'finishReason')).join('');
    const usageMetadata = objectAt(events.at(-1), 'usageMetadata');
    return { candidates: [{ content: { parts, role: 'model' }, finishReason }], usageMetadata };
  },
  withoutThoughts: (echo) =>
    echo.filter((part) => part['thought'] !== true).map(({ thoughtSignature: _, ...part }) => part),
  error: (body) => {
    expect(body).toMatchObject({
      error: { code: expect.any(Number), message: expect.any(String), status: expect.any(String) },
    });
    return { message: textAt(objectAt(body, 'error'), 'message') };
  },
  errorEvent: (event) =>
    isObject(event['error']) ? { message: textAt(objectAt(event, 'error'), 'message') } : undefined,
  lacks: ['one call at a time'],
};

function contentOf(turn: Turn): JsonObject {
  if ('echo' in turn) return { role: 'model', parts: turn.echo };
  if ('results' in turn) {
    const parts = turn.results.map(({ call, text }) => ({
      functionResponse: { ...(call.id !== '' && { id: call.id }), name: call.name, response: { output: text } },
    }));
    return { role: 'user', parts };
  }
  const inlineData = { mimeType: imageType, data: imageData };
  const attached = turn.attached && attachments[turn.attached];
  const image = attached && { inlineData: { mimeType: attached.mediaType, data: attached.data } };
  return {
    role: 'user',
    parts: [{ text: turn.user }, ...(turn.hasPicture ? [{ inlineData }] : []), ...(image ? [image] : [])],
  };
}

const configOf = (chatCase: ChatCase): JsonObject => ({
  ...(chatCase.hasSchema && { responseMimeType: 'application/json', responseJsonSchema: schema }),
  ...(chatCase.stop !== undefined && { stopSequences: [chatCase.stop] }),
  ...(chatCase.limit !== undefined && { maxOutputTokens: chatCase.limit }),
  ...(chatCase.thinks && { thinkingConfig: { thinkingBudget: 2048, includeThoughts: true } }),
});

function finishOf(reason: string, hasCalls: boolean): Finish | undefined {
  if (reason === 'MAX_TOKENS') return 'length';
  if (reason !== 'STOP') return undefined;
  return hasCalls ? 'tool' : 'stop';
}
