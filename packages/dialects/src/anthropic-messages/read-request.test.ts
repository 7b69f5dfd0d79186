import { describe, expect, test } from 'vitest';
import { usedRequirements } from '../chat/chat-request.ts';
import type { JsonObject } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { anthropicMessages } from './index.ts';

const read = (body: JsonObject) =>
  anthropicMessages.readRequest({ model: 'm', max_tokens: 100, messages: [], ...body }, {});
const assistantMessage = (...content: readonly JsonObject[]) =>
  read({ messages: [{ role: 'user', content }] }).messages;
const withResult = (...content: readonly JsonObject[]) =>
  read({ messages: [{ role: 'assistant', content }] }).messages[0];
const short = { type: 'ephemeral' };
const text = (message: string) => ({ type: 'text', text: message });

describe('Anthropic messages', () => {
  test('reads system blocks as separate texts with their cache markers', () => {
    const parts = [text('Be brief'), { ...text('A long book'), cacheControl: short }];
    const system = [text('Be brief'), { ...text('A long book'), cache_control: short }, text('')];
    expect(read({ system }).messages).toEqual([{ role: 'system', text: 'Be brief\n\nA long book', parts }]);
    expect(read({ system: 'Be brief' }).messages).toEqual([
      { role: 'system', text: 'Be brief', parts: [text('Be brief')] },
    ]);
    expect(read({ system: '' }).messages).toEqual([]);
  });

  test("removes Claude Code's billing note from the prompt", () => {
    const system = [text('x-anthropic-billing-header: cc_version=2.1.197.abc; cch=00000;'), text('Be kind')];
    expect(read({ system }).messages).toMatchObject([{ role: 'system', text: 'Be kind' }]);
  });

  test('keeps the position of a system message', () => {
    const messages = [
      { role: 'user', content: 'hi' },
      { role: 'system', content: 'From now on in Latin' },
    ];
    expect(read({ system: 'Be brief', messages }).messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'system',
    ]);
  });

  test('reads images as base64 and by URL', () => {
    const image = (source: JsonObject) => ({ type: 'image', source, cache_control: short });
    expect(
      assistantMessage(
        image({ type: 'base64', media_type: 'image/png', data: 'AAAA' }),
        image({ type: 'url', url: 'https://pictures.test/a.png' }),
      ),
    ).toEqual([
      {
        role: 'user',
        parts: [
          { type: 'image', image: { mediaType: 'image/png', data: 'AAAA' }, cacheControl: short },
          { type: 'image', image: { url: 'https://pictures.test/a.png' }, cacheControl: short },
        ],
      },
    ]);
  });

  test('reads a PDF as a file, and a text document as text with its title', () => {
    const document = (source: JsonObject, more: JsonObject = {}) => ({ type: 'document', source, ...more });
    expect(
      assistantMessage(
        document({ type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' }, { title: 'a.pdf' }),
        document({ type: 'text', media_type: 'text/plain', data: 'Words' }, { title: 'A', cache_control: short }),
        document({ type: 'content', content: [text('one'), text('two')] }),
        { type: 'search_result', source: 'https://found.test', title: 'Found', content: [text('there')] },
      ),
    ).toEqual([
      {
        role: 'user',
        parts: [
          { type: 'file', name: 'a.pdf', data: 'data:application/pdf;base64,JVBERi0=' },
          text('A\n\n'),
          { ...text('Words'), cacheControl: short },
          text('one'),
          text('two'),
          text('Found\nhttps://found.test\n\n'),
          text('there'),
        ],
      },
    ]);
  });

  test("puts tool results, with images, errors and cache markers, before the user's text", () => {
    const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
    expect(
      assistantMessage(
        { type: 'tool_result', tool_use_id: 't1', content: 'noon', is_error: false, cache_control: short },
        { type: 'tool_result', tool_use_id: 't2', content: [text('see '), picture, text('it')] },
        { type: 'tool_result', tool_use_id: 't3', is_error: true },
        text('And?'),
      ),
    ).toEqual([
      { role: 'tool', toolCallId: 't1', text: 'noon', parts: [text('noon')], cacheControl: short },
      {
        role: 'tool',
        toolCallId: 't2',
        text: 'see it',
        parts: [text('see '), { type: 'image', image: { mediaType: 'image/png', data: 'AAAA' } }, text('it')],
      },
      { role: 'tool', toolCallId: 't3', text: '', parts: [], isError: true },
      { role: 'user', parts: [text('And?')] },
    ]);
  });

  test('replaces a discovered tool with its name', () => {
    const content = [{ type: 'tool_reference', tool_name: 'weather' }];
    expect(assistantMessage({ type: 'tool_result', tool_use_id: 't', content })).toMatchObject([{ text: 'weather' }]);
  });

  test.each([
    [{ type: 'image', source: { type: 'file', file_id: 'f' } }, 'messages[0].content[0].source.type'],
    [{ type: 'document', source: { type: 'url', url: 'https://a.test' } }, 'messages[0].content[0].source.type'],
    [{ type: 'image', source: { type: 'url', url: 'file:///etc/passwd' } }, 'messages[0].content[0].source.url'],
    [{ type: 'container_upload', file_id: 'f' }, 'messages[0].content[0].type'],
    [{ type: 'tool_result', content: 'x' }, 'messages[0].content[0].tool_use_id'],
    [{ ...text('a'), cache_control: 'ephemeral' }, 'messages[0].content[0].cache_control'],
  ])('rejects the block %j and names %s', (block, param) => {
    expect(() => assistantMessage(block)).toThrow(expect.objectContaining({ name: 'RequestProblem', param }));
  });
});

describe('earlier model output', () => {
  test('reads thinking blocks with signatures, text and calls', () => {
    expect(
      withResult(
        { type: 'thinking', thinking: 'Hm', signature: 'c2ln' },
        { type: 'redacted_thinking', data: 'ZGF0YQ==' },
        text('I look.'),
        { type: 'tool_use', id: 't1', name: 'weather', input: { city: 'Oslo' }, cache_control: short },
      ),
    ).toEqual({
      role: 'assistant',
      text: 'I look.',
      parts: [text('I look.')],
      thoughts: [
        { text: 'Hm', maker: 'anthropic', signature: 'c2ln' },
        { text: '', maker: 'anthropic', sealed: 'ZGF0YQ==' },
      ],
      toolCalls: [{ id: 't1', name: 'weather', arguments: '{"city":"Oslo"}' }],
      cacheControl: short,
    });
  });

  test("recognizes other vendors' reasoning by the prefix of its signature, and ignores unsigned blocks", () => {
    expect(
      withResult(
        { type: 'thinking', thinking: 'Hm', signature: 'hg1.google.c2.ln' },
        { type: 'thinking', thinking: 'Well', signature: '' },
        { type: 'redacted_thinking', data: 'hg1.openai.rs_1~ZGF0YQ' },
        { type: 'redacted_thinking', data: 'hg1.openai.ZGF0YQ' },
      ),
    ).toMatchObject({
      thoughts: [
        { text: 'Hm', maker: 'google', signature: 'c2.ln' },
        { text: 'Well' },
        { text: '', maker: 'openai', sealed: 'ZGF0YQ', id: 'rs_1' },
        { text: '', maker: 'openai', sealed: 'ZGF0YQ' },
      ],
    });
  });

  test("attaches Gemini's signature to its call", () => {
    const seal = (signature: string) => ({ type: 'thinking', thinking: '', signature: `hg1.google.${signature}` });
    const call = (id: string) => ({ type: 'tool_use', id, name: 'now', input: {} });
    expect(withResult(seal('a'), call('1'), call('2'), seal('b'), text('x'), seal('c'), call('3'))).toMatchObject({
      thoughts: [{ text: '', maker: 'google', signature: 'b' }],
      toolCalls: [{ id: '1', thoughtSignature: 'a' }, { id: '2' }, { id: '3', thoughtSignature: 'c' }],
    });
  });

  test('requires provider tools when the conversation contains their results', () => {
    const messages = [
      {
        role: 'assistant',
        content: [
          { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
          { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
        ],
      },
    ];
    const request = read({ messages });
    expect(request.extras.serverTools).toEqual(['server_tool_use', 'web_search_tool_result']);
    expect(usedRequirements(request)).toEqual(['server_tools']);
    expect(() => withResult({ type: 'compaction', content: 'x' })).toThrow(RequestProblem);
  });
});

describe('request settings', () => {
  test('reads limits, sampling settings and the user', () => {
    expect(
      read({
        temperature: 0.5,
        top_p: 0.9,
        top_k: 5,
        stop_sequences: ['END'],
        metadata: { user_id: 'u-1' },
        stream: true,
        cache_control: short,
        context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
        service_tier: 'auto',
        mcp_servers: [],
      }),
    ).toMatchObject({
      maxTokens: 100,
      temperature: 0.5,
      topP: 0.9,
      topK: 5,
      stop: ['END'],
      user: 'u-1',
      isStream: true,
      choices: 1,
      extras: { cacheControl: short },
    });
  });

  test.each(['mcp_servers', 'container', 'inference_geo', 'thread'])('rejects %s and names the field', (name) => {
    expect(() => read({ [name]: ['x'] })).toThrow(expect.objectContaining({ name: 'RequestProblem', param: name }));
  });

  test('rejects a request without max_tokens', () => {
    for (const limit of [undefined, 0]) {
      expect(() => read({ max_tokens: limit })).toThrow(expect.objectContaining({ param: 'max_tokens' }));
    }
  });

  test("reads client tools, and Anthropic's own tools by type", () => {
    const input_schema = { type: 'object', properties: {} };
    const request = read({
      tools: [
        { name: 'now', description: 'The time', input_schema, strict: true, cache_control: short },
        { type: 'custom', name: 'then', input_schema, defer_loading: true },
        { type: 'web_search_20250305', name: 'web_search', max_uses: 8 },
      ],
    });
    expect(request.tools).toEqual([
      { name: 'now', description: 'The time', parameters: input_schema, isStrict: true, cacheControl: short },
      { name: 'then', description: undefined, parameters: input_schema },
    ]);
    expect(request.extras.serverTools).toEqual(['web_search_20250305']);
    expect(() => read({ tools: [{ name: 'now' }] })).toThrow('tools[0].input_schema');
  });

  test.each([
    [{ type: 'auto' }, 'auto', undefined],
    [{ type: 'any', disable_parallel_tool_use: true }, 'required', false],
    [{ type: 'none' }, 'none', undefined],
    [{ type: 'tool', name: 'now', disable_parallel_tool_use: false }, { name: 'now' }, true],
  ])('reads the tool choice %j', (choice, toolChoice, parallelToolCalls) => {
    const request = read({ tool_choice: choice });
    expect([request.toolChoice, request.parallelToolCalls]).toEqual([toolChoice, parallelToolCalls]);
  });

  test('reads an output schema from either field name', () => {
    const format = { type: 'json_schema', schema: { type: 'object' } };
    const wanted = { type: 'json_schema', name: 'answer', schema: { type: 'object' } };
    expect(read({ output_config: { format } }).responseFormat).toEqual(wanted);
    expect(read({ output_format: format }).responseFormat).toEqual(wanted);
    expect(() => read({ output_format: { type: 'text' } })).toThrow('output_format.type');
  });

  test.each([
    [{ thinking: { type: 'enabled', budget_tokens: 1024 } }, 'low', 1024],
    [{ thinking: { type: 'enabled', budget_tokens: 8000 } }, 'medium', 8000],
    [{ thinking: { type: 'enabled', budget_tokens: 31_999 } }, 'high', 31_999],
    [{ thinking: { type: 'enabled', budget_tokens: 31_999 }, output_config: { effort: 'low' } }, 'low', 31_999],
    [{ thinking: { type: 'adaptive' } }, 'high', undefined],
    [{ thinking: { type: 'adaptive' }, output_config: { effort: 'max' } }, 'xhigh', undefined],
    [{ thinking: { type: 'disabled' }, output_config: { effort: 'high' } }, 'none', undefined],
    [{ output_config: { effort: 'medium' } }, 'medium', undefined],
  ])(
    'maps %j to effort %s for other models and treats reasoning as optional',
    (requested: JsonObject, effort, budget) => {
      const request = read(requested);
      expect([request.reasoningEffort, request.reasoningBudget]).toEqual([effort, budget]);
      expect(request.extras.thinking).toEqual(requested['thinking']);
      expect(usedRequirements(request)).toEqual([]);
    },
  );

  test('rejects invalid thinking settings and names the field', () => {
    expect(() => read({ thinking: { type: 'much' } })).toThrow('thinking.type');
    expect(() => read({ thinking: { type: 'enabled' } })).toThrow('thinking.budget_tokens');
  });
});

describe('request outline', () => {
  const outline = (body: JsonObject) => anthropicMessages.readOutline({ model: 'm', ...body }, {});

  test('reads model, limit and streaming', () => {
    expect(outline({ max_tokens: 9, stream: true })).toMatchObject({
      model: 'm',
      isStream: true,
      wantsUsage: true,
      completionLimit: 9,
      choiceCount: 1,
      tries: 1,
    });
    expect(outline({})).toMatchObject({ isStream: false, completionLimit: undefined });
    expect(outline({ max_tokens: 0 }).completionLimit).toBeUndefined();
  });

  test('expects a longer prompt when Anthropic runs tools', () => {
    expect(outline({ tools: [{ name: 'now' }, { type: 'custom', name: 'then' }], mcp_servers: [] }).mayGrowPrompt).toBe(
      false,
    );
    for (const body of [
      { tools: [{ type: 'web_search_20250305' }] },
      { mcp_servers: [{ url: 'https://a.test' }] },
      { container: 'c' },
    ]) {
      expect(outline(body).mayGrowPrompt).toBe(true);
    }
  });

  test('counts the prompt twice when earlier turns are summarized, but once when old content is removed', () => {
    const summarizes = (context_management: unknown) => outline({ context_management }).summarizesFirst;
    expect([undefined, null, {}, { edits: null }, { edits: [] }].map(summarizes)).toEqual(Array(5).fill(false));
    expect(summarizes({ edits: [{ type: 'clear_tool_uses_20250919' }] })).toBe(false);
    expect(summarizes({ edits: [{ type: 'clear_thinking_20251015' }, { type: 'compact_20260112' }] })).toBe(true);
    expect([{ edits: 'all' }, 'compact', [{ type: 'compaction' }], [{}], [7]].map(summarizes)).toEqual(
      Array(5).fill(true),
    );
  });

  test('reads whether thinking is enabled, and its budget', () => {
    expect(outline({}).thinking).toEqual({ isOn: undefined });
    expect(outline({ thinking: { type: 'disabled' } }).thinking).toEqual({ isOn: false });
    expect(outline({ thinking: { type: 'adaptive' } }).thinking).toEqual({ isOn: true });
    expect(outline({ thinking: { type: 'enabled', budget_tokens: 9 } }).thinking).toEqual({ isOn: true, budget: 9 });
  });

  test.each([
    [
      { type: 'image', source: { type: 'base64', data: 'AAAA' } },
      { kind: 'image', characters: 4 },
    ],
    [
      { type: 'image', source: { type: 'url', url: 'https://a.test' } },
      { kind: 'image', characters: 0 },
    ],
    [
      { type: 'image', source: { type: 'file', file_id: 'f' } },
      { kind: 'image', characters: 0 },
    ],
    [{ type: 'document', source: { type: 'file', file_id: 'f' } }, { kind: 'elsewhere' }],
    [{ type: 'document', source: { type: 'text', data: 'AAAA' } }, undefined],
    [{ type: 'document', source: { type: 'url', url: 'https://a.test' } }, { kind: 'elsewhere' }],
    [{ type: 'container_upload', file_id: 'f' }, { kind: 'elsewhere' }],
    [
      { type: 'document', source: { type: 'base64', data: 'AAAA' } },
      { kind: 'unmeasured', characters: 4 },
    ],
    [{ type: 'text', text: 'https://a.test' }, undefined],
    [{ type: 'search_result', source: 'https://a.test', content: [] }, undefined],
  ])('reads %j as the attachment %j', (block: JsonObject, attachment) => {
    expect(anthropicMessages.prompt.toAttachment(block)).toEqual(attachment);
  });

  test('adds the thinking budget to the limit if it exceeds the limit', () => {
    const thinking = (budget_tokens: number) => ({ type: 'enabled', budget_tokens });
    expect(outline({ max_tokens: 4000, thinking: thinking(2000) }).completionLimit).toBe(4000);
    expect(outline({ max_tokens: 4000, thinking: thinking(9000) }).completionLimit).toBe(13_000);
  });

  test.each([
    [{ max_tokens: -1 }, 'max_tokens'],
    [{ max_tokens: 1.5 }, 'max_tokens'],
    [{ max_tokens: '9' }, 'max_tokens'],
    [{ stream: 'true' }, 'stream'],
    [{ model: 3 }, 'model'],
    [{ max_tokens: 9, thinking: { budget_tokens: 1e12 } }, 'thinking.budget_tokens'],
  ])('rejects the outline of %j and names %s', (body, param) => {
    expect(() => outline(body)).toThrow(expect.objectContaining({ name: 'RequestProblem', param }));
  });

  test("replaces the client's system prompt with the channel's", () => {
    expect(anthropicMessages.withSystemPrompt({ system: [text('a')], messages: [] }, 'b')).toEqual({ system: 'b' });
  });
});
