import { describe, expect, test } from 'vitest';
import { usedHints, usedRequirements } from '../chat/chat-request.ts';
import { taggedSignature } from '../chat/reasoning-block.ts';
import type { JsonObject } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { openaiResponses } from './index.ts';

const read = (body: JsonObject) => openaiResponses.readRequest({ model: 'm', input: 'Hi', ...body }, {});
const messagesOf = (...input: readonly JsonObject[]) => read({ input }).messages;
const text = (message: string) => ({ type: 'text', text: message });
const system = (message: string) => ({ role: 'system', text: message, parts: [text(message)] });
const assistant = (fields: JsonObject) => ({
  role: 'assistant',
  text: '',
  parts: [],
  thoughts: [],
  toolCalls: [],
  ...fields,
});

describe('Responses API conversations', () => {
  test('reads a text, or instructions and a text', () => {
    expect(read({}).messages).toEqual([{ role: 'user', parts: [text('Hi')] }]);
    expect(read({ instructions: 'Be brief' }).messages[0]).toEqual(system('Be brief'));
  });

  test('reads messages of every role, with or without a type', () => {
    const content = [{ type: 'input_text', text: 'A' }];
    expect(
      messagesOf(
        { type: 'message', role: 'developer', content },
        { role: 'system', content: 'B' },
        { role: 'user', content },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'C', annotations: [] }] },
        { role: 'assistant', content: [{ type: 'refusal', refusal: 'D' }] },
      ),
    ).toEqual([
      system('A'),
      system('B'),
      { role: 'user', parts: [text('A')] },
      assistant({ text: 'CD', parts: [text('C'), text('D')] }),
    ]);
  });

  test('reads images, files and audio', () => {
    const content = [
      { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
      { type: 'input_image', image_url: 'https://a.test/b.png' },
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,BBBB' },
      { type: 'input_audio', input_audio: { data: 'CCCC', format: 'wav' } },
    ];
    expect(messagesOf({ role: 'user', content })).toEqual([
      {
        role: 'user',
        parts: [
          { type: 'image', image: { mediaType: 'image/png', data: 'AAAA' } },
          { type: 'image', image: { url: 'https://a.test/b.png' } },
          { type: 'file', name: 'a.pdf', data: 'data:application/pdf;base64,BBBB' },
          { type: 'audio', data: 'CCCC', format: 'wav' },
        ],
      },
    ]);
  });

  test('merges reasoning, text and calls of one turn into one message', () => {
    expect(
      messagesOf(
        { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm' }], encrypted_content: 'E' },
        { role: 'assistant', content: 'Look' },
        { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"a":1}' },
        { type: 'function_call', call_id: 'c2', name: 'g', namespace: 'n', arguments: '' },
        { type: 'function_call_output', call_id: 'c1', output: 'one' },
        { type: 'function_call_output', call_id: 'c2', output: [{ type: 'input_text', text: 'two' }] },
        { role: 'assistant', content: 'Done' },
      ),
    ).toEqual([
      assistant({
        text: 'Look',
        parts: [text('Look')],
        thoughts: [{ text: 'Hm', maker: 'openai', sealed: 'E', id: 'rs_1' }],
        toolCalls: [
          { id: 'c1', name: 'f', arguments: '{"a":1}' },
          { id: 'c2', name: 'n__g', arguments: '{}' },
        ],
      }),
      { role: 'tool', toolCallId: 'c1', text: 'one', parts: [text('one')] },
      { role: 'tool', toolCallId: 'c2', text: 'two', parts: [text('two')] },
      assistant({ text: 'Done', parts: [text('Done')] }),
    ]);
  });

  test('reads calls of custom tools and of the shell', () => {
    const action = { type: 'exec', command: ['ls'], env: {} };
    expect(
      messagesOf(
        { type: 'custom_tool_call', call_id: 'c1', name: 'patch', input: 'a "b"' },
        { type: 'local_shell_call', id: 'l1', call_id: 'c2', action, status: 'completed' },
        { type: 'custom_tool_call_output', call_id: 'c1', output: 'ok' },
        { type: 'local_shell_call_output', id: 'l1', output: 'file' },
      ),
    ).toEqual([
      assistant({
        toolCalls: [
          { id: 'c1', name: 'patch', arguments: '{"input":"a \\"b\\""}' },
          { id: 'c2', name: 'local_shell', arguments: '{"command":["ls"],"env":{}}' },
        ],
      }),
      { role: 'tool', toolCallId: 'c1', text: 'ok', parts: [text('ok')] },
      { role: 'tool', toolCallId: 'c2', text: 'file', parts: [text('file')] },
    ]);
  });

  test('skips items of provider tools', () => {
    expect(messagesOf({ type: 'web_search_call', id: 'ws_1' }, { role: 'user', content: 'A' })).toHaveLength(1);
  });
});

test("reads reasoning with its vendor's signature", () => {
  const thought = (encrypted_content: string, summary: readonly JsonObject[] = []) =>
    messagesOf({ type: 'reasoning', id: 'rs_1', summary, encrypted_content })[0];
  const words = [{ type: 'summary_text', text: 'Hm' }];
  expect(thought(taggedSignature('anthropic', 's+sig'), words)).toEqual(
    assistant({ thoughts: [{ text: 'Hm', maker: 'anthropic', signature: '+sig' }] }),
  );
  expect(thought(taggedSignature('anthropic', 'ddata'))).toEqual(
    assistant({ thoughts: [{ text: '', maker: 'anthropic', sealed: 'data' }] }),
  );
  expect(thought('', words)).toEqual(assistant({ thoughts: [{ text: 'Hm' }] }));
  expect(thought('')).toEqual(assistant({}));
});

test("restores a call's signature from its reasoning item", () => {
  const sealed = taggedSignature('google', 'ccall.1.sig');
  expect(
    messagesOf(
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: sealed },
      { type: 'function_call', call_id: 'call.1', name: 'f', arguments: '{}' },
    ),
  ).toEqual([assistant({ toolCalls: [{ id: 'call.1', name: 'f', arguments: '{}', thoughtSignature: 'sig' }] })]);
});

describe('Responses API tools', () => {
  const parameters = { type: 'object', properties: { a: {} } };
  const tools = [
    { type: 'function', name: 'f', description: 'F', parameters, strict: true },
    { type: 'namespace', name: 'group', description: 'G', tools: [{ type: 'function', name: 'f', strict: false }] },
    {
      type: 'custom',
      name: 'patch',
      description: 'P',
      format: { type: 'grammar', syntax: 'lark', definition: 'start: x' },
    },
    { type: 'local_shell' },
    { type: 'web_search', external_web_access: true },
  ];

  test('converts tools to functions, and lists provider tools by type', () => {
    const request = read({ tools });
    expect(request.tools.map(({ name }) => name)).toEqual(['f', 'group__f', 'patch', 'local_shell']);
    expect(request.tools[0]).toEqual({ name: 'f', description: 'F', parameters, isStrict: true });
    expect(request.tools[1]?.parameters).toEqual({ type: 'object', properties: {} });
    expect(request.tools[2]).toMatchObject({
      description: 'P\n\nThe input must follow this lark grammar:\nstart: x',
      parameters: { required: ['input'] },
    });
    expect(request.extras.serverTools).toEqual(['web_search']);
  });

  test('treats provider tools as optional alongside other tools and as required when alone', () => {
    const offer = read({ tools });
    expect([usedRequirements(offer).includes('server_tools'), usedHints(offer).includes('server_tools')]).toEqual([
      false,
      true,
    ]);
    for (const body of [{ tools: [{ type: 'web_search' }] }, { tools, tool_choice: { type: 'web_search_preview' } }]) {
      const demand = read(body);
      expect(usedRequirements(demand)).toContain('server_tools');
      expect(usedHints(demand)).not.toContain('server_tools');
    }
  });

  test('offers tools that are declared in conversation items', () => {
    const input = [{ type: 'additional_tools', role: 'developer', tools: [tools[0]] }];
    expect(read({ input }).tools.map(({ name }) => name)).toEqual(['f']);
  });

  test('shortens long namespaced names to unique ones', () => {
    const names = ['a', 'b'].map((end) => 'x'.repeat(70) + end);
    const request = read({
      tools: [{ type: 'namespace', name: 'n', tools: names.map((name) => ({ type: 'function', name })) }],
    });
    const flat = request.tools.map(({ name }) => name);
    expect(flat.every((name) => name.length === 64)).toBe(true);
    expect(new Set(flat).size).toBe(2);
  });

  test.each([
    ['auto', 'auto'],
    ['none', 'none'],
    ['required', 'required'],
    [{ type: 'function', name: 'f' }, { name: 'f' }],
    [{ type: 'function', name: 'f', namespace: 'group' }, { name: 'group__f' }],
    [{ type: 'custom', name: 'patch' }, { name: 'patch' }],
    [{ type: 'local_shell' }, { name: 'local_shell' }],
  ])('reads the tool choice %j', (tool_choice, toolChoice) => {
    expect(read({ tools, tool_choice }).toolChoice).toEqual(toolChoice);
  });

  test('limits the tools to the allowed ones', () => {
    const allowed = [{ type: 'function', name: 'f' }, { type: 'web_search' }];
    const request = read({ tools, tool_choice: { type: 'allowed_tools', mode: 'required', tools: allowed } });
    expect(request.tools.map(({ name }) => name)).toEqual(['f']);
    expect([request.toolChoice, request.extras.serverTools]).toEqual(['required', ['web_search']]);
  });
});

test("reads settings from this dialect's fields", () => {
  expect(
    read({
      max_output_tokens: 9,
      temperature: 0.5,
      top_p: 0.9,
      parallel_tool_calls: false,
      reasoning: { effort: 'high', summary: 'auto' },
      safety_identifier: 'u',
      stream: true,
      store: true,
      text: { format: { type: 'json_schema', name: 's', schema: { type: 'object' }, strict: true }, verbosity: 'low' },
      prompt_cache_key: 'k',
      include: ['reasoning.encrypted_content'],
      metadata: { a: 'b' },
      service_tier: 'auto',
      truncation: 'auto',
      max_tool_calls: 3,
    }),
  ).toMatchObject({
    maxTokens: 9,
    temperature: 0.5,
    topP: 0.9,
    parallelToolCalls: false,
    reasoningEffort: 'high',
    user: 'u',
    isStream: true,
    responseFormat: { type: 'json_schema', name: 's', schema: { type: 'object' }, isStrict: true },
    extras: { openai: { verbosity: 'low', prompt_cache_key: 'k' } },
  });
  expect(read({ text: { format: { type: 'json_object' } } }).responseFormat).toEqual({ type: 'json_object' });
  expect(usedRequirements(read({ top_logprobs: 2 }))).toEqual(['logprobs']);
  expect(usedRequirements(read({ include: ['message.output_text.logprobs'] }))).toEqual(['logprobs']);
});

test.each([
  ['previous_response_id', { previous_response_id: 'resp_1' }],
  ['conversation', { conversation: { id: 'conv_1' } }],
  ['prompt', { prompt: { id: 'p' } }],
  ['background', { background: true }],
  ['input[0].type', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
  ['input[0].type', { input: [{ type: 'compaction', encrypted_content: 'x' }] }],
  ['input[0].type', { input: [{ type: 'computer_call_output', call_id: 'c' }] }],
  ['input[0].content[0].file_id', { input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'f' }] }] }],
  ['input[0].content[0].file_url', { input: [{ role: 'user', content: [{ type: 'input_file', file_url: 'f' }] }] }],
  ['input[0].role', { input: [{ role: 'tool', content: 'x' }] }],
  ['input[0].call_id', { input: [{ type: 'function_call_output', output: 'x' }] }],
  ['input', { input: 7 }],
  ['tools[0].type', { tools: [{}] }],
  ['text.format.type', { text: { format: { type: 'xml' } } }],
  ['tool_choice.mode', { tool_choice: { type: 'allowed_tools', mode: 'x', tools: [] } }],
])('rejects an invalid request and names %s', (param, body) => {
  try {
    read(body);
    expect.unreachable();
  } catch (problem) {
    expect(problem).toBeInstanceOf(RequestProblem);
    expect(problem).toMatchObject({ param });
  }
});

test('accepts background: false, store: false and a null previous_response_id', () => {
  expect(() => read({ background: false, previous_response_id: null, store: false })).not.toThrow();
});

describe('Responses API outline', () => {
  const outline = (body: JsonObject) => openaiResponses.readOutline({ model: 'm', input: 'Hi', ...body }, {});

  test('reads model, streaming and limit', () => {
    expect(outline({ stream: true, max_output_tokens: 5, reasoning: { effort: 'low' } })).toEqual({
      model: 'm',
      isStream: true,
      wantsUsage: true,
      completionLimit: 5,
      choiceCount: 1,
      tries: 1,
      mayGrowPrompt: false,
      hasTools: false,
      repeatsPrompt: false,
      summarizesFirst: false,
      thinking: { isOn: true },
      previousResponse: undefined,
      mayBeStored: true,
      mayDropPrompt: false,
    });
    expect(outline({}).completionLimit).toBeUndefined();
    expect(outline({ reasoning: { effort: 'none' } }).thinking).toEqual({ isOn: false });
  });

  test('reads the id of the response that the request continues', () => {
    expect(outline({ previous_response_id: 'r', store: false })).toMatchObject({
      previousResponse: { id: 'r', field: 'previous_response_id' },
      mayBeStored: false,
      mayGrowPrompt: false,
    });
  });

  test.each([{ conversation: 'c' }, { tools: [{ type: 'web_search' }] }])(
    'reports that %j may extend the prompt',
    (body) => {
      expect(outline(body).mayGrowPrompt).toBe(true);
    },
  );

  test.each([{ model: 7 }, { stream: 'yes' }, { max_output_tokens: 1.5 }, { max_output_tokens: -1 }])(
    'rejects the outline of %j',
    (body) => {
      expect(() => outline(body)).toThrow(RequestProblem);
    },
  );
});

test("replaces the conversation's system prompt", () => {
  const { withSystemPrompt } = openaiResponses;
  expect(withSystemPrompt({ instructions: 'A', input: 'x' }, 'B')).toEqual({ instructions: 'B' });
  expect(withSystemPrompt({ input: [{ role: 'user', content: 'x' }] }, 'B')).toEqual({ instructions: 'B' });
  const user = { role: 'user', content: 'x' };
  expect(withSystemPrompt({ input: [{ type: 'message', role: 'developer', content: 'A' }, user] }, 'B')).toEqual({
    input: [{ type: 'message', role: 'developer', content: 'B' }, user],
  });
});

test('reads non-text content of a prompt', () => {
  const { toAttachment } = openaiResponses.prompt;
  expect(toAttachment({ type: 'input_image', image_url: 'data:image/png;base64,AA' })).toEqual({
    kind: 'image',
    characters: 24,
  });
  expect(toAttachment({ type: 'input_image', image_url: 'https://a.test' })).toEqual({ kind: 'image', characters: 0 });
  const audio = (format: string) => toAttachment({ type: 'input_audio', input_audio: { data: 'SUQz', format } });
  expect(audio('mp3')).toEqual({ kind: 'sound', characters: 4 });
  expect(audio('opus')).toEqual({ kind: 'unmeasured', characters: 4 });
  expect(toAttachment({ type: 'computer_screenshot', file_id: 'f' })).toEqual({ kind: 'image', characters: 0 });
  expect(toAttachment({ type: 'image_generation_call', result: 'AAAA' })).toEqual({ kind: 'image', characters: 4 });
  expect(toAttachment({ type: 'input_file', file_id: 'f' })).toEqual({ kind: 'elsewhere' });
  expect(toAttachment({ type: 'input_file', file_data: 'AAAA' })).toMatchObject({ kind: 'unmeasured' });
  expect(toAttachment({ id: 'msg_1' })).toEqual({ kind: 'named' });
  expect(toAttachment({ role: 'user', content: 'x', id: 'msg_1' })).toBeUndefined();
  expect(toAttachment({ type: 'input_text', text: 'https://a.test' })).toBeUndefined();
  expect(toAttachment({ type: 'item_reference', id: 'x' })).toEqual({ kind: 'named' });
  expect(toAttachment({ type: 'function_call', id: 'x' })).toBeUndefined();
});
