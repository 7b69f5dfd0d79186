import { silentWav } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../json-fields.ts';
import { gemini } from './index.ts';

const address = { model: 'gemini-2.5-flash', isStream: true };
const read = (body: JsonObject) => gemini.readOutline({ contents: [], ...body }, address);
const file = (fileUri: string) => ({ contents: [{ parts: [{ fileData: { fileUri } }] }] });
const problemWith = (param: string) => expect.objectContaining({ name: 'RequestProblem', param });

test('reads model, streaming, limit and choice count in snake_case and camelCase', () => {
  expect(read({ generationConfig: { maxOutputTokens: 64, candidateCount: 2 } })).toMatchObject({
    model: 'gemini-2.5-flash',
    isStream: true,
    wantsUsage: true,
    completionLimit: 64,
    choiceCount: 2,
  });
  expect(read({ generation_config: { max_output_tokens: 64, candidate_count: 2 } })).toMatchObject({
    completionLimit: 64,
    choiceCount: 2,
  });
  expect(read({ generationConfig: { maxOutputTokens: 0 } })).toMatchObject({
    completionLimit: undefined,
    choiceCount: 1,
  });
});

test.each<[JsonObject, JsonObject]>([
  [{}, { mayGrowPrompt: false, thinking: { isOn: undefined } }],
  [{ tools: [{ functionDeclarations: [{ name: 'now' }] }] }, { mayGrowPrompt: false }],
  [{ tools: [{ google_search: {} }] }, { mayGrowPrompt: true }],
  [{ generationConfig: { thinkingConfig: { thinkingBudget: 0 } } }, { thinking: { isOn: false } }],
  [{ generationConfig: { thinkingConfig: { thinkingBudget: 99 } } }, { thinking: { isOn: true, budget: 99 } }],
  [{ generationConfig: { thinking_config: { thinking_level: 'LOW' } } }, { thinking: { isOn: true } }],
])('reads whether %j extends the prompt or enables reasoning', (body, outline) => {
  expect(read(body)).toMatchObject(outline);
});

test.each<[JsonObject, unknown]>([
  [{ text: 'Hello' }, undefined],
  [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }, { kind: 'image', characters: 4 }],
  [{ inline_data: { mime_type: 'Image/PNG', data: 'AAAA' } }, { kind: 'image', characters: 4 }],
  [
    { inlineData: { mimeType: 'audio/wav', data: silentWav(8000) } },
    { kind: 'sound', characters: silentWav(8000).length },
  ],
  [
    { inlineData: { mimeType: 'audio/wav', data: silentWav(100) } },
    { kind: 'unmeasured', characters: silentWav(100).length },
  ],
  [{ inlineData: { mimeType: 'audio/mp3', data: 'AAAA' } }, { kind: 'unmeasured', characters: 4 }],
  [{ inlineData: { mimeType: 'application/pdf', data: 'AAAA' } }, { kind: 'unmeasured', characters: 4 }],
  [{ inlineData: { mimeType: 'audio/ogg', data: 'AAAA' } }, { kind: 'unmeasured', characters: 4 }],
  [{ inlineData: { mimeType: 'video/mp4', data: 'AAAA' } }, { kind: 'unmeasured', characters: 4 }],
  [{ inlineData: { mimeType: 'image/png', data: 'AAAA' }, text: 'long' }, undefined],
  [{ file_data: { file_uri: 'https://a.example/b.mp4' } }, { kind: 'elsewhere' }],
])('reads non-text content of a prompt: %j', (part, attachment) => {
  expect(gemini.prompt.toAttachment(part)).toEqual(attachment);
});

describe('Gemini fields that Google may interpret differently', () => {
  test.each<[string, JsonObject]>([
    ['generation_config', { generationConfig: {}, generation_config: {} }],
    ['system_instruction', { systemInstruction: { parts: [] }, system_instruction: { parts: [] } }],
    ['generationConfig.max_output_tokens', { generationConfig: { maxOutputTokens: 1, max_output_tokens: 9 } }],
    ['generationConfig.candidate_count', { generationConfig: { candidateCount: null, candidate_count: 9 } }],
    ['generationConfig.maxOutputTokens', { generationConfig: { maxOutputTokens: '64' } }],
    ['generationConfig.maxOutputTokens', { generationConfig: { maxOutputTokens: -1 } }],
    ['generationConfig.candidateCount', { generationConfig: { candidateCount: 1.5 } }],
    ['generationConfig', { generationConfig: [] }],
    ['model', { model: 'models/gemini-2.5-pro' }],
  ])('rejects an ambiguous or invalid field: %s', (param, body) => {
    expect(() => read(body)).toThrow(problemWith(param));
  });

  test('accepts a body model that equals the model in the path', () => {
    expect(read({ model: 'models/gemini-2.5-flash' }).model).toBe('gemini-2.5-flash');
  });
});

describe("references to data in the operator's Google account", () => {
  test.each<[string, JsonObject]>([
    ['cachedContent', { cachedContent: 'cachedContents/1' }],
    ['cachedContent', { cached_content: 'cachedContents/1' }],
    ['tools[0].fileSearch', { tools: [{ file_search: { fileSearchStoreNames: ['a'] } }] }],
    ['tools[1].retrieval', { tools: [{ googleSearch: {} }, { retrieval: {} }] }],
    ['contents[0].parts[0].fileData.fileUri', file('gs://bucket/secret.pdf')],
    ['contents[0].parts[0].fileData.fileUri', file('https://generativelanguage.googleapis.com/v1beta/files/a')],
    [
      'contents[0].parts[0].fileData.fileUri',
      file('HTTPS://user@GenerativeLanguage.GoogleApis.com:443/v1beta/files/a'),
    ],
    ['contents[0].parts[0].fileData.fileUri', file('files/a')],
    [
      'contents[0].parts[0].functionResponse.parts[0].fileData.fileUri',
      { contents: { parts: { function_response: { parts: [{ file_data: { file_uri: 'gs://a/b' } }] } } } },
    ],
  ])("rejects a reference to data in the operator's account: %s", (param, body) => {
    expect(() => read(body)).toThrow(problemWith(param));
  });

  test.each([
    'https://www.youtube.com/watch?v=1',
    'https://storage.googleapis.com/open/a.png',
    'https://a.example/googleapis.com',
  ])('accepts the public URL %s', (uri) => {
    expect(read(file(uri)).choiceCount).toBe(1);
  });
});

test("replaces the client's system prompt with the channel's, in snake_case and camelCase", () => {
  const systemInstruction = { parts: [{ text: 'Be brief' }] };
  expect(gemini.withSystemPrompt({ contents: [] }, 'Be brief')).toEqual({ systemInstruction });
  const changed = gemini.withSystemPrompt({ contents: [], system_instruction: {} }, 'Be brief');
  expect(changed).toEqual({ systemInstruction, system_instruction: undefined });
  expect(Object.keys(changed)).toContain('system_instruction');
});
