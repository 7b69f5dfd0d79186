import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { usedRequirements } from '../chat/chat-request.ts';
import { isObject, type JsonObject } from '../json-fields.ts';
import { anthropicMessages } from './index.ts';

const { readOutline, readRequest } = anthropicMessages;
const short = { type: 'ephemeral' };
const text = (message: string, mark?: JsonObject) => ({
  type: 'text',
  text: message,
  ...(mark && { cache_control: mark }),
});

/** Requests in the format of Claude Code, with invented texts. */
const main = {
  model: 'claude-opus-4-8',
  system: [text('x-anthropic-billing-header: cc_version=0;'), text('You help.', short), text('You code.', short)],
  tools: [
    {
      name: 'Bash',
      description: 'Runs a command',
      input_schema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: { command: { type: 'string' } },
        required: ['command'],
        additionalProperties: false,
      },
    },
  ],
  metadata: { user_id: '{"device_id":"d","session_id":"s"}' },
  max_tokens: 64_000,
  thinking: { type: 'adaptive' },
  context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
  output_config: { effort: 'high' },
  stream: true,
};

const question = { role: 'user', content: [text('Where am I?'), text('List the files', short)] };
const systemMessage = { role: 'system', content: 'The folder holds little.' };

describe('Claude Code requests', () => {
  test("reads Claude Code's conversation title request as JSON output without thinking", () => {
    const format = { type: 'json_schema', schema: { type: 'object', properties: { title: { type: 'string' } } } };
    const body = { ...main, tools: [], thinking: { type: 'disabled' }, output_config: { effort: 'high', format } };
    const request = readRequest({ ...body, messages: [{ role: 'user', content: [text('List the files')] }] }, {});
    expect(request).toMatchObject({ reasoningEffort: 'none', responseFormat: { schema: format.schema } });
    expect(usedRequirements(request)).toEqual(['response_format']);
  });

  test('reads instructions before and after the prompt in the first turn', () => {
    const body = { ...main, messages: [question, systemMessage] };
    expect(readOutline(body, {})).toMatchObject({ isStream: true, completionLimit: 64_000 });
    const request = readRequest(body, {});
    expect(request.messages).toEqual([
      {
        role: 'system',
        text: 'You help.\n\nYou code.',
        parts: [
          { type: 'text', text: 'You help.', cacheControl: short },
          { type: 'text', text: 'You code.', cacheControl: short },
        ],
      },
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'Where am I?' },
          { type: 'text', text: 'List the files', cacheControl: short },
        ],
      },
      { role: 'system', text: systemMessage.content, parts: [{ type: 'text', text: systemMessage.content }] },
    ]);
    expect(usedRequirements(request)).toEqual(['tools']);
  });

  test('reads the thinking block, tool call and result in the second turn', () => {
    const turns = [
      { type: 'thinking', thinking: 'A command helps.', signature: 'c2ln' },
      text('I look.'),
      { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'ls' } },
    ];
    const result = { tool_use_id: 'toolu_1', type: 'tool_result', content: 'a.txt', is_error: false };
    const messages = [
      question,
      systemMessage,
      { role: 'assistant', content: turns },
      { role: 'user', content: [{ ...result, cache_control: short }] },
    ];
    expect(readRequest({ ...main, messages }, {}).messages.slice(-2)).toEqual([
      {
        role: 'assistant',
        text: 'I look.',
        parts: [{ type: 'text', text: 'I look.' }],
        thoughts: [{ text: 'A command helps.', maker: 'anthropic', signature: 'c2ln' }],
        toolCalls: [{ id: 'toolu_1', name: 'Bash', arguments: '{"command":"ls"}' }],
      },
      {
        role: 'tool',
        toolCallId: 'toolu_1',
        text: 'a.txt',
        parts: [{ type: 'text', text: 'a.txt' }],
        cacheControl: short,
      },
    ]);
  });

  test('reads a web search as a tool that only Anthropic can run', () => {
    const tools = [{ type: 'web_search_20250305', name: 'web_search', max_uses: 8 }];
    const body = { ...main, tools, tool_choice: { type: 'tool', name: 'web_search' }, messages: [question] };
    expect(usedRequirements(readRequest(body, {}))).toEqual(['server_tools']);
  });

  test('reads a token count request without an output limit', () => {
    expect(readOutline(counted, {})).toMatchObject({ model: 'claude-opus-4-8', isStream: false });
  });
});

const recorded = join(import.meta.dirname, '../../../../../shared/data/agents');
const counted = { model: 'claude-opus-4-8', messages: [{ role: 'user', content: 'foo' }], tools: [] };
const calls = [
  { title: 'an invented turn', path: '/v1/messages?beta=true', body: { ...main, messages: [question, systemMessage] } },
  { title: 'an invented token count', path: '/v1/messages/count_tokens?beta=true', body: counted },
  ...['claude-code', 'claude-code-context', 'sdk-anthropic'].flatMap((name) => callsIn(name)),
];

describe('agent requests', () => {
  test.each(calls)('reads $title', ({ path, body }) => {
    expect(readOutline(body, {}).model).not.toBe('');
    if (path.includes('count_tokens')) return;
    const request = readRequest(body, {});
    expect(request.messages.length).toBeGreaterThan(0);
    expect(usedRequirements(request)).not.toContain('server_tools');
  });
});

/** Recorded requests; empty when the recordings are not stored next to the repository. */
function callsIn(name: string) {
  const file = join(recorded, `${name}.json`);
  if (!existsSync(file)) return [];
  const kept = JSON.parse(readFileSync(file, 'utf8')) as readonly { readonly path: string; readonly body: unknown }[];
  return kept.flatMap(({ path, body }, index) =>
    isObject(body) ? [{ title: `${name} ${index}: ${path}`, path, body: filled(body) as JsonObject }] : [],
  );
}

/** Replaces each recorded text length with text of that length, and drops the note on omitted tools. */
function filled(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replace(/^<(\d+) characters>$/, (_, length) => 'x'.repeat(Number(length)));
  if (Array.isArray(value)) return value.filter((item) => !(isObject(item) && '…' in item)).map(filled);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filled(inner)]));
}
