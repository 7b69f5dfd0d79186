import { isObject, type JsonObject, listAt, objectAt, textAt } from '@headgate/dialects';
import { dataEvents } from '@headgate/testkit';
import { wireNamed } from '../wire-fixture.ts';
import {
  callId,
  imageData,
  type ModelOutput,
  type ReceivedChat,
  reasoningSignature,
  splitText,
  type WireRow,
} from './matrix.ts';
import { ReceivedTurns } from './received-turns.ts';

const usageMetadata = {
  promptTokenCount: 10,
  cachedContentTokenCount: 5,
  candidatesTokenCount: 3,
  thoughtsTokenCount: 2,
  totalTokenCount: 15,
};

/** Only the first call has the thought signature. */
const partsOf = ({ text, reasoning, calls = [] }: ModelOutput): readonly JsonObject[] => [
  ...(reasoning === undefined ? [] : [{ text: reasoning, thought: true }]),
  ...(text === undefined ? [] : splitText(text).map((half) => ({ text: half }))),
  ...calls.map((city, index) => ({
    functionCall: { id: callId(city), name: 'weather', args: { city } },
    ...(reasoning !== undefined && index === 0 && { thoughtSignature: reasoningSignature }),
  })),
];

const geminiResponse = (parts: readonly JsonObject[], output?: ModelOutput): JsonObject => ({
  candidates: [
    {
      content: { parts, role: 'model' },
      index: 0,
      ...(output && { finishReason: output.finish === 'length' ? 'MAX_TOKENS' : 'STOP' }),
    },
  ],
  ...(output && { usageMetadata }),
  modelVersion: 'gemini',
  responseId: 'r1',
});

const pieces = (output: ModelOutput) =>
  dataEvents([...partsOf(output).map((part) => geminiResponse([part])), geminiResponse([{ text: '' }], output)]);

function read(body: JsonObject): ReceivedChat {
  const turns = new ReceivedTurns();
  for (const content of listAt(body, 'contents')) {
    const parts = listAt(content, 'parts').filter(isObject);
    if (textAt(content, 'role') === 'model') readModel(parts, turns);
    else readUser(parts, turns);
  }
  const config = objectAt(body, 'generationConfig');
  const choice = objectAt(objectAt(body, 'toolConfig'), 'functionCallingConfig');
  return {
    system: textsIn(listAt(objectAt(body, 'systemInstruction'), 'parts')),
    turns: turns.turns,
    tools: listAt(body, 'tools').flatMap((tool) =>
      listAt(tool, 'functionDeclarations').map((declared) => textAt(declared, 'name')),
    ),
    forced: choice['mode'] === 'ANY' ? listAt(choice, 'allowedFunctionNames').join() : undefined,
    schema: config['responseMimeType'] === 'application/json' ? config['responseJsonSchema'] : undefined,
    stop: config['stopSequences'],
    limit: config['maxOutputTokens'],
  };
}

const textsIn = (parts: readonly unknown[]) => parts.map((part) => textAt(part, 'text')).join('');

function readModel(parts: readonly JsonObject[], turns: ReceivedTurns): void {
  const calls = parts.filter((part) => 'functionCall' in part);
  const signature = textAt(calls[0], 'thoughtSignature');
  turns.assistant(
    textsIn(parts.filter((part) => part['thought'] !== true)),
    calls.map(({ functionCall }) => ({
      id: textAt(functionCall, 'id'),
      name: textAt(functionCall, 'name'),
      input: objectAt(functionCall, 'args'),
    })),
    signature === '' ? {} : { signature },
  );
}

function readUser(parts: readonly JsonObject[], turns: ReceivedTurns): void {
  const results = parts.filter((part) => 'functionResponse' in part);
  for (const { functionResponse } of results) {
    if (textAt(functionResponse, 'name') !== 'weather') throw new Error('a result names its tool');
    turns.result(textAt(functionResponse, 'id'), Object.values(objectAt(functionResponse, 'response')).join());
  }
  const images = parts.filter((part) => textAt(objectAt(part, 'inlineData'), 'data') === imageData).length;
  if (results.length === 0) turns.user(textsIn(parts), images);
}

const shared = {
  model: 'gemini-2.0-flash',
  thinker: 'gemini-3-pro-preview',
  read,
  pieces,
  rejectedFeatures: {},
  drops: { 'one call at a time': 'parallel_tool_calls' },
  whole: (output: ModelOutput) => geminiResponse(partsOf(output), output),
  broken: dataEvents([{ error: { code: 503, message: 'no room', status: 'UNAVAILABLE' } }]).join(''),
  tells: { cached: 5, reasoning: 2 },
  thoughtBack: { signature: reasoningSignature },
} as const;

export const googleWireRows: readonly WireRow[] = [
  { ...shared, name: 'Gemini', wire: wireNamed('Gemini') },
  { ...shared, name: 'Vertex with Gemini', wire: wireNamed('Vertex with Gemini') },
];
