import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject } from '../json-fields.ts';
import { openaiResponses } from './index.ts';

const home = join(import.meta.dirname, '../../../../../shared/data/agents');

/** Replaces each recorded text length with invented text; recorded lists were shortened, with a note. */
function filled(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/^<.*>$/, 'made up');
  if (Array.isArray(value)) return (value as unknown[]).filter((item) => !isNote(item)).map(filled);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, filled(field)]));
}

const isNote = (item: unknown) => isObject(item) && '…' in item;

interface Call {
  readonly path: string;
  readonly body?: JsonObject;
}

/** Recorded requests; empty when the recordings are not stored next to the repository. */
const recorded = existsSync(home)
  ? readdirSync(home)
      .filter((name) => /^codex.*\.json$/.test(name))
      .flatMap((name) =>
        (JSON.parse(readFileSync(join(home, name), 'utf8')) as Call[]).map((call) => ({ ...call, name })),
      )
      .flatMap(({ name, path, body }) =>
        path === '/v1/responses' && body ? [{ name, body: filled(body) as JsonObject }] : [],
      )
  : [];

const message = (role: string, message: string) => ({
  type: 'message',
  id: 'msg_0',
  role,
  content: [{ type: 'input_text', text: message }],
  internal_chat_message_metadata_passthrough: { turn_id: 't' },
});

const closeAgent = { type: 'function', name: 'close_agent', description: 'Ends one', strict: false, parameters: {} };

/** A request in the format of Codex, with invented texts. */
const turn: JsonObject = {
  model: 'gpt-5-codex',
  stream: true,
  input: [
    message('developer', 'You are an agent'),
    message('user', 'List the files'),
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed' },
    {
      type: 'message',
      status: 'completed',
      id: 'msg_1',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'I look', annotations: [] }],
    },
    {
      type: 'function_call',
      status: 'completed',
      id: 'fc_1',
      name: 'exec_command',
      arguments: '{"cmd":"ls"}',
      call_id: 'call_1',
    },
    { type: 'function_call_output', id: 'fco_1', call_id: 'call_1', output: 'a.txt' },
  ],
  tools: [
    { type: 'function', name: 'exec_command', description: 'Runs it', strict: false, parameters: { type: 'object' } },
    { type: 'namespace', name: 'multi_agent_v1', description: 'Agents', tools: [closeAgent] },
    { type: 'web_search', external_web_access: true },
  ],
  tool_choice: 'auto',
  parallel_tool_calls: true,
  reasoning: { summary: 'auto' },
  store: false,
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: 'key',
  client_metadata: { session_id: 's' },
};

describe('Codex requests', () => {
  test.each([{ name: 'an invented turn', body: turn }, ...recorded])('reads the Codex request $name', ({ body }) => {
    expect(openaiResponses.readOutline(body, {})).toMatchObject({ isStream: true, wantsUsage: true });
    const request = openaiResponses.readRequest(body, {});
    expect(request.messages.length).toBeGreaterThan(2);
    expect(request.tools.map(({ name }) => name)).toContain('exec_command');
    expect(request.tools.map(({ name }) => name)).toContain('multi_agent_v1__close_agent');
  });
});

test('reads a Codex turn after a tool result', () => {
  const request = openaiResponses.readRequest(turn, {});
  expect(request.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool']);
  expect(request.messages[2]).toMatchObject({
    text: 'I look',
    thoughts: [{ maker: 'openai', sealed: 'sealed', id: 'rs_1' }],
    toolCalls: [{ id: 'call_1', name: 'exec_command', arguments: '{"cmd":"ls"}' }],
  });
  expect(request.tools.map(({ name }) => name)).toEqual(['exec_command', 'multi_agent_v1__close_agent']);
  expect(request.extras).toEqual({
    includesThoughts: true,
    serverTools: ['web_search'],
    openai: { prompt_cache_key: 'key' },
  });
});

test('writes a call to a namespaced tool with its namespace', () => {
  const toolCalls = [{ id: 'c', name: 'multi_agent_v1__close_agent', arguments: '{}' }];
  const response = { choices: [{ content: '', toolCalls, finishReason: 'tool_calls' as const }], usage: undefined };
  const reply = { id: 'r', created: 0, model: 'm', wantsUsage: true, body: turn };
  expect(JSON.parse(openaiResponses.writeResponse(response, reply))).toMatchObject({
    output: [{ type: 'function_call', name: 'close_agent', namespace: 'multi_agent_v1' }],
  });
});
