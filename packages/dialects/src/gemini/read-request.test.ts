import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../json-fields.ts';
import { gemini } from './index.ts';

const address = { model: 'gemini-2.5-flash', isStream: false };
const hello = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] };
const read = (body: JsonObject) => gemini.readRequest({ ...hello, ...body }, address);
const config = (generationConfig: JsonObject) => read({ generationConfig });

describe('Gemini requests', () => {
  test('reads model and streaming from the path', () => {
    expect(gemini.readRequest(hello, { model: 'models/gemini-2.5-flash', isStream: true })).toEqual({
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
      tools: [],
      toolChoice: undefined,
      parallelToolCalls: undefined,
      maxTokens: undefined,
      temperature: undefined,
      topP: undefined,
      topK: undefined,
      frequencyPenalty: undefined,
      presencePenalty: undefined,
      seed: undefined,
      stop: [],
      responseFormat: undefined,
      reasoningEffort: undefined,
      reasoningBudget: undefined,
      user: undefined,
      isStream: true,
      choices: 1,
      extras: {},
    });
  });

  test('puts the system instruction first, in one message', () => {
    const systemInstruction = { role: 'user', parts: [{ text: 'Be brief. ' }, { text: 'Be kind.' }] };
    const [system] = read({ systemInstruction }).messages;
    expect(system).toMatchObject({ role: 'system', text: 'Be brief. Be kind.' });
  });

  test("accepts a single item instead of a list, as in Google's own examples", () => {
    const { messages, tools } = read({
      contents: { parts: { text: 'Hello' } },
      system_instruction: { parts: { text: 'Be brief' } },
      tools: { function_declarations: { name: 'now' } },
    });
    expect(messages).toMatchObject([{ text: 'Be brief' }, { parts: [{ text: 'Hello' }] }]);
    expect(tools).toMatchObject([{ name: 'now' }]);
  });

  test('reads every setting', () => {
    const nativeRequest = {
      temperature: 0.5,
      topP: 0.9,
      topK: 40,
      maxOutputTokens: 64,
      candidateCount: 2,
      stopSequences: ['END'],
      seed: 7,
      presencePenalty: 0.1,
      frequencyPenalty: 0.2,
    };
    const { stopSequences, candidateCount, maxOutputTokens, ...same } = nativeRequest;
    const named = { stop: stopSequences, choices: candidateCount, maxTokens: maxOutputTokens, ...same };
    expect(config(nativeRequest)).toMatchObject(named);
    const snake = Object.entries(nativeRequest).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (x) => `_${x.toLowerCase()}`),
      value,
    ]);
    expect(read({ generation_config: Object.fromEntries(snake) as JsonObject })).toMatchObject(named);
  });

  test.each([
    [{ thinkingBudget: 2048 }, 'low', 2048],
    [{ thinkingBudget: 8192 }, 'medium', 8192],
    [{ thinkingBudget: 24_576 }, 'high', 24_576],
    [{ thinkingBudget: 0 }, 'none', undefined],
    [{ thinkingBudget: -1 }, undefined, undefined],
    [{ thinkingLevel: 'HIGH' }, 'high', undefined],
    [{ thinking_level: 'low' }, 'low', undefined],
    [{ thinkingLevel: 'THINKING_LEVEL_UNSPECIFIED' }, undefined, undefined],
  ])('reads the reasoning settings %j', (thinkingConfig, reasoningEffort, reasoningBudget) => {
    expect(config({ thinkingConfig })).toMatchObject({ reasoningEffort, reasoningBudget });
  });

  test('allows a model without reasoning to serve the request', () => {
    expect(config({ thinkingConfig: { thinkingLevel: 'HIGH' } }).extras).toEqual({ isReasoningOptional: true });
    expect(config({ thinkingConfig: { thinkingBudget: 512 } }).extras).toEqual({ isReasoningOptional: true });
  });

  test('reads whether reasoning text is requested', () => {
    expect(config({ thinkingConfig: { includeThoughts: true } }).extras).toEqual({ includesThoughts: true });
    expect(config({ thinkingConfig: { includeThoughts: false } }).extras).toEqual({});
  });

  const json = { responseMimeType: 'application/json' };
  const schema = { type: 'object', properties: { city: { type: 'string' } } };
  const upper = { type: 'OBJECT', properties: { city: { type: 'STRING' } } };
  test.each([
    [json, { type: 'json_object' }],
    [
      { ...json, responseSchema: upper },
      { type: 'json_schema', name: 'answer', schema },
    ],
    [
      { ...json, responseJsonSchema: upper },
      { type: 'json_schema', name: 'answer', schema },
    ],
    [
      { ...json, _responseJsonSchema: schema },
      { type: 'json_schema', name: 'answer', schema },
    ],
    [{ responseMimeType: 'text/plain' }, undefined],
  ])('reads the request for JSON output from %j', (generationConfig, responseFormat) => {
    expect(config(generationConfig).responseFormat).toEqual(responseFormat);
  });

  test('keeps Google-specific fields separate', () => {
    const safetySettings = [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_ONLY_HIGH' }];
    const generationConfig = {
      responseModalities: ['TEXT', 'IMAGE'],
      responseLogprobs: true,
      imageConfig: { aspectRatio: '1:1' },
      mediaResolution: 'MEDIA_RESOLUTION_LOW',
    };
    expect(
      read({ safetySettings, generationConfig, tools: [{ google_search: {} }, { urlContext: {} }] }).extras,
    ).toEqual({
      modalities: ['text', 'image'],
      wantsLogprobs: true,
      serverTools: ['googleSearch', 'urlContext'],
      google: {
        safetySettings,
        generationConfig: { imageConfig: { aspectRatio: '1:1' }, mediaResolution: 'MEDIA_RESOLUTION_LOW' },
      },
    });
  });
});

describe('invalid Gemini fields', () => {
  const model = (part: JsonObject) => ({ contents: [{ role: 'model', parts: [part] }] });
  const user = (part: JsonObject) => ({ contents: [{ role: 'user', parts: [part] }] });
  const blob = { mimeType: 'image/png', data: 'AAAA' };

  test.each<[string, JsonObject]>([
    ['contents', { contents: 'Hello' }],
    ['contents[0].role', { contents: [{ role: 'assistant', parts: [] }] }],
    ['contents[0].parts[0]', user({ executableCode: { code: '1' } })],
    ['contents[0].parts[0]', user({ text: 'a', inlineData: blob })],
    ['contents[0].parts[0].functionCall', user({ functionCall: { name: 'now' } })],
    ['contents[0].parts[0].inlineData', model({ inlineData: blob })],
    ['contents[0].parts[0].inlineData.mimeType', user({ inlineData: { mimeType: 'a b', data: '' } })],
    [
      'contents[0].parts[0].fileData.fileUri',
      user({ fileData: { fileUri: 'https://a.example/b.mp4', mimeType: 'video/mp4' } }),
    ],
    ['contents[0].parts[0].functionResponse.name', user({ functionResponse: { name: 'now', response: {} } })],
    ['contents[0].parts[0].functionCall.args', model({ functionCall: { name: 'now', args: [] } })],
    ['systemInstruction.parts[0]', { systemInstruction: { parts: [{ inlineData: blob }] } }],
    ['generationConfig.responseMimeType', { generationConfig: { responseMimeType: 'text/x.enum' } }],
    ['generationConfig.responseSchema', { generationConfig: { responseSchema: {}, responseJsonSchema: {} } }],
    ['toolConfig.functionCallingConfig.mode', { toolConfig: { functionCallingConfig: { mode: 'toString' } } }],
    [
      'toolConfig.functionCallingConfig.allowedFunctionNames',
      { toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['now'] } } },
    ],
  ])('rejects an invalid field and names it: %s', (param, body) => {
    expect(() => read(body)).toThrow(expect.objectContaining({ name: 'RequestProblem', param }));
  });
});

describe('Gemini tools', () => {
  const tools = [{ functionDeclarations: ['one', 'two', 'three'].map((name) => ({ name })) }];
  const calling = (functionCallingConfig: JsonObject) => read({ tools, toolConfig: { functionCallingConfig } });
  const names = ({ tools: given }: ReturnType<typeof read>) => given.map(({ name }) => name);

  test('reads tools with either kind of schema', () => {
    const functionDeclarations = [
      { name: 'a', description: 'A', parameters: { type: 'OBJECT', properties: { x: { type: 'INTEGER' } } } },
      { name: 'b', parametersJsonSchema: { type: 'object', additionalProperties: false } },
      { name: 'c' },
    ];
    expect(read({ tools: [{ functionDeclarations }] }).tools).toEqual([
      { name: 'a', description: 'A', parameters: { type: 'object', properties: { x: { type: 'integer' } } } },
      { name: 'b', description: undefined, parameters: { type: 'object', additionalProperties: false } },
      { name: 'c', description: undefined, parameters: { type: 'object', properties: {} } },
    ]);
  });

  test.each([
    [{ mode: 'AUTO' }, 'auto'],
    [{ mode: 'any' }, 'required'],
    [{ mode: 'NONE' }, 'none'],
    [{ mode: 'VALIDATED' }, 'auto'],
    [{}, undefined],
    [{ mode: 'ANY', allowedFunctionNames: ['two'] }, { name: 'two' }],
  ])('reads the tool choice from %j', (functionCallingConfig, toolChoice) => {
    const request = calling(functionCallingConfig);
    expect(request.toolChoice).toEqual(toolChoice);
    expect(names(request)).toEqual(['one', 'two', 'three']);
  });

  test('removes tools outside allowedFunctionNames', () => {
    const request = calling({ mode: 'ANY', allowed_function_names: ['one', 'three'] });
    expect(request.toolChoice).toBe('required');
    expect(names(request)).toEqual(['one', 'three']);
  });
});

test("converts Google's schemas to JSON schema", () => {
  const parameters = {
    type: 'OBJECT',
    property_ordering: ['list'],
    properties: {
      list: { type: 'ARRAY', minItems: '1', max_items: 3, items: { type: 'STRING', nullable: true, enum: ['a'] } },
      either: { any_of: [{ type: 'NUMBER' }, { type: 'TYPE_UNSPECIFIED' }] },
      // A property may have the name of a keyword.
      type: { type: 'BOOLEAN' },
    },
    $defs: { one: { type: 'STRING' } },
    required: ['list'],
  };
  const [tool] = read({ tools: [{ functionDeclarations: [{ name: 'a', parameters }] }] }).tools;
  expect(tool?.parameters).toEqual({
    type: 'object',
    properties: {
      list: { type: 'array', minItems: 1, maxItems: 3, items: { type: ['string', 'null'], enum: ['a', null] } },
      either: { anyOf: [{ type: 'number' }, {}] },
      type: { type: 'boolean' },
    },
    $defs: { one: { type: 'string' } },
    required: ['list'],
  });
});
