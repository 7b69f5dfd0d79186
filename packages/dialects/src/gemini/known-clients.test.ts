import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject } from '../json-fields.ts';
import { readBatchEmbedContents, readCountRequest, readEmbedContent } from './endpoints.ts';
import { gemini } from './index.ts';

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

const folder = join(import.meta.dirname, '../../../../../shared/data/agents');

/**
 * Recorded requests of clients, with invented text. Without the recordings next to the repository, only the requests in
 * this file are used.
 */
function recorded(file: string): readonly Call[] {
  const path = join(folder, file);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as readonly Call[]) : [];
}

const router: JsonObject = {
  contents: [
    { parts: [{ text: 'Here is the context.' }], role: 'user' },
    { parts: [{ text: 'List the files.' }], role: 'user' },
  ],
  systemInstruction: { parts: [{ text: 'You judge how hard a task is.' }], role: 'user' },
  generationConfig: {
    temperature: 1,
    topP: 0.95,
    topK: 64,
    responseMimeType: 'application/json',
    responseJsonSchema: {
      type: 'OBJECT',
      properties: { reason: { type: 'STRING', description: 'Why' }, score: { type: 'INTEGER' } },
      required: ['reason', 'score'],
    },
    thinkingConfig: { includeThoughts: true, thinkingLevel: 'HIGH' },
  },
};

const secondTurn: JsonObject = {
  contents: [
    { parts: [{ text: 'Here is the context.' }, { text: 'List the files.' }], role: 'user' },
    {
      parts: [
        { text: 'I will list them.' },
        {
          functionCall: { id: 'run_1_0', args: { command: 'ls', description: 'List' }, name: 'run_shell_command' },
          thoughtSignature: 'c2ln',
        },
      ],
      role: 'model',
    },
    {
      parts: [{ functionResponse: { name: 'run_shell_command', response: { output: 'a.txt' }, id: 'run_1_0' } }],
      role: 'user',
    },
  ],
  systemInstruction: { parts: [{ text: 'You are an agent.' }], role: 'user' },
  tools: [
    {
      functionDeclarations: [
        {
          name: 'update_topic',
          description: 'Says what this is about',
          parametersJsonSchema: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
        },
      ],
    },
  ],
  generationConfig: {
    temperature: 1,
    topP: 0.95,
    topK: 64,
    thinkingConfig: { includeThoughts: true, thinkingLevel: 'HIGH' },
  },
};

const stream = '/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse';
const hi = { contents: [{ parts: [{ text: 'hi' }], role: 'user' }] };
const embed = { content: { role: 'user', parts: [{ text: 'hi' }] }, model: 'models/e' };

const ownCalls: readonly Call[] = [
  { method: 'POST', path: '/v1beta/models/gemini-3.5-flash-lite:generateContent', body: router },
  { method: 'POST', path: stream, body: { ...secondTurn, contents: [(secondTurn['contents'] as unknown[])[0]] } },
  { method: 'POST', path: stream, body: secondTurn },
  { method: 'POST', path: '/v1beta/models/gemini-2.5-pro:generateContent', body: hi },
  { method: 'POST', path: '/v1beta/models/gemini-2.5-pro:countTokens', body: hi },
  { method: 'POST', path: '/v1beta/models/e:embedContent', body: embed },
  { method: 'POST', path: '/v1beta/models/e:batchEmbedContents', body: { requests: [embed] } },
];

const calls = [...ownCalls, ...recorded('gemini-cli.json'), ...recorded('sdk-genai.json')].filter(
  ({ method, body }) => method === 'POST' && isObject(body),
);

function read({ path, body }: Call): unknown {
  const [, model = '', action = ''] = /models\/([^:]+):(\w+)/.exec(path) ?? [];
  const request = withoutNotes(body) as JsonObject;
  switch (action) {
    case 'countTokens':
      return gemini.readRequest(readCountRequest(request), { model });
    case 'embedContent':
      return readEmbedContent(request, model);
    case 'batchEmbedContents':
      return readBatchEmbedContents(request, model);
    default:
      return gemini.readRequest(request, { model, isStream: action === 'streamGenerateContent' });
  }
}

/** Removes the placeholder items in which the recordings note how many tools were omitted. */
function withoutNotes(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => !(isObject(item) && '…' in item)).map(withoutNotes);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withoutNotes(field)]));
}

describe('known Gemini clients', () => {
  test.each(calls.map((call, index) => ({ ...call, index })))('reads request $index to $path', (call) => {
    expect(read(call)).toBeTypeOf('object');
  });

  test('matches call and signature in the second turn of Gemini CLI', () => {
    const { messages, reasoningEffort, tools } = gemini.readRequest(secondTurn, { model: 'gemini-3.8-flash' });
    expect(reasoningEffort).toBe('high');
    expect(tools.map(({ name }) => name)).toEqual(['update_topic']);
    expect(messages).toMatchObject([
      { role: 'system', text: 'You are an agent.' },
      { role: 'user' },
      { role: 'assistant', toolCalls: [{ id: 'run_1_0', thoughtSignature: 'c2ln', name: 'run_shell_command' }] },
      { role: 'tool', toolCallId: 'run_1_0', text: 'a.txt' },
    ]);
  });

  test("converts the schema of Gemini CLI's router, which has uppercase types, to JSON Schema", () => {
    const { responseFormat } = gemini.readRequest(router, { model: 'gemini-3.5-flash-lite' });
    expect(responseFormat).toMatchObject({ schema: { type: 'object', properties: { score: { type: 'integer' } } } });
  });
});
