import { describe, expect, test } from 'vitest';
import type { ChatChoice, ChatDelta } from '../chat/chat-response.ts';
import { toDeltas } from '../chat/merge-deltas.ts';
import type { ResponseEnvelope } from '../dialect.ts';
import type { JsonObject } from '../json-fields.ts';
import { anthropicMessages } from './index.ts';

const reply: ResponseEnvelope = { id: 'r1', created: 1, model: 'claude-x', wantsUsage: true, body: {} };
const usage = { promptTokens: 9, completionTokens: 3 };
const nothingUsed = { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 };

const whole = (choice: Partial<ChatChoice>) =>
  JSON.parse(
    anthropicMessages.writeResponse({ choices: [{ content: '', finishReason: 'stop', ...choice }], usage }, reply),
  ) as JsonObject;

/** Events of a stream; checks that the data of each repeats the event name. */
function events(deltas: readonly ChatDelta[]): readonly JsonObject[] {
  const writer = anthropicMessages.openStream(reply);
  const written = deltas.map((delta) => writer.write(delta)).join('') + writer.end(usage);
  return written
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => {
      const [name = '', data = ''] = event.split('\n');
      const parsed = JSON.parse(data.slice('data: '.length)) as JsonObject;
      expect(name).toBe(`event: ${String(parsed['type'])}`);
      return parsed;
    });
}

/** Events without the two that start and the two that end every stream. */
const inner = (...deltas: readonly ChatDelta[]) => events(deltas).slice(2, -2);

const start = (index: number, content_block: JsonObject) => ({ type: 'content_block_start', index, content_block });
const piece = (index: number, delta: JsonObject) => ({ type: 'content_block_delta', index, delta });
const stop = (index: number) => ({ type: 'content_block_stop', index });
const call = (id: string, name = 'now') => ({ type: 'tool_use', id, name, input: {} });
const json = (index: number, partial_json: string) => piece(index, { type: 'input_json_delta', partial_json });
const emptyText = { type: 'text', text: '' };
const emptyThinking = { type: 'thinking', thinking: '', signature: '' };

describe('whole Anthropic responses', () => {
  test('writes the envelope and usage', () => {
    expect(whole({ content: 'Hello' })).toEqual({
      id: 'msg_r1',
      type: 'message',
      role: 'assistant',
      model: 'claude-x',
      content: [{ type: 'text', text: 'Hello' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { ...nothingUsed, input_tokens: 9, output_tokens: 3 },
    });
  });

  test("writes thinking, text, citations and tool calls in Claude's order", () => {
    const { content, stop_reason } = whole({
      content: 'I look.',
      reasoning: 'HmWell',
      thoughts: [
        { text: 'Hm', maker: 'anthropic', signature: 'c2ln' },
        { text: 'Well', maker: 'google', signature: 'Zw' },
        { text: '', maker: 'openai', sealed: 'ZGF0YQ', id: 'rs_1' },
      ],
      citations: [{ url: 'https://a.test', title: 'A', text: 'there' }],
      toolCalls: [
        { id: 't1', name: 'now', arguments: '{"zone":"UTC"}', thoughtSignature: 'c2VhbA' },
        { id: '', name: 'now', arguments: '{"zo' },
      ],
      finishReason: 'tool_calls',
    });
    expect(content).toEqual([
      { type: 'thinking', thinking: 'Hm', signature: 'c2ln' },
      { type: 'thinking', thinking: 'Well', signature: 'hg1.google.Zw' },
      { type: 'redacted_thinking', data: 'hg1.openai.rs_1~ZGF0YQ' },
      {
        type: 'text',
        text: 'I look.',
        citations: [
          {
            type: 'web_search_result_location',
            url: 'https://a.test',
            title: 'A',
            cited_text: 'there',
            encrypted_index: '',
          },
        ],
      },
      { type: 'thinking', thinking: '', signature: 'hg1.google.c2VhbA' },
      { ...call('t1'), input: { zone: 'UTC' } },
      call('toolu_r1_1'),
    ]);
    expect(stop_reason).toBe('tool_use');
  });

  test('includes unsigned reasoning, even next to signed reasoning', () => {
    expect(whole({ reasoning: 'Hm' })['content']).toEqual([{ type: 'thinking', thinking: 'Hm', signature: '' }]);
    const sealed = { text: '', maker: 'openai', sealed: 'ZGF0YQ' } as const;
    expect(whole({ reasoning: 'Hm', thoughts: [sealed] })['content']).toEqual([
      { type: 'thinking', thinking: 'Hm', signature: '' },
      { type: 'redacted_thinking', data: 'hg1.openai.ZGF0YQ' },
    ]);
  });

  test.each([
    [{ finishReason: 'stop' }, 'end_turn', null],
    [{ finishReason: 'stop', stopSequence: 'END' }, 'stop_sequence', 'END'],
    [{ finishReason: 'length' }, 'max_tokens', null],
    [{ finishReason: 'tool_calls' }, 'tool_use', null],
    [{ finishReason: 'content_filter', refusal: 'No' }, 'refusal', null],
    [{ finishReason: 'stop', toolCalls: [{ id: 't', name: 'now', arguments: '{}' }] }, 'tool_use', null],
  ] satisfies [Omit<ChatChoice, 'content'>, string, string | null][])(
    'maps %j to stop reason %s',
    (choice, reason, sequence) => {
      const { stop_reason, stop_sequence } = whole(choice);
      expect([stop_reason, stop_sequence]).toEqual([reason, sequence]);
      const last = events([...toDeltas({ choices: [{ content: '', ...choice }], usage })]).at(-2);
      expect(last?.['delta']).toEqual({ stop_reason: reason, stop_sequence: sequence });
    },
  );

  test('reports cache reads and writes separately from the input', () => {
    const reportedBy = (given: Parameters<typeof anthropicMessages.writeResponse>[0]['usage']) =>
      (JSON.parse(anthropicMessages.writeResponse({ choices: [], usage: given }, reply)) as JsonObject)['usage'];
    expect(
      reportedBy({
        promptTokens: 127,
        completionTokens: 40,
        cachedTokens: 100,
        cacheWriteTokens: 7,
        reasoningTokens: 12,
      }),
    ).toEqual({
      input_tokens: 20,
      cache_creation_input_tokens: 7,
      cache_read_input_tokens: 100,
      output_tokens: 40,
      output_tokens_details: { thinking_tokens: 12 },
    });
    expect(reportedBy(undefined)).toEqual(nothingUsed);
    expect(reportedBy({ promptTokens: -1, completionTokens: 3 })).toEqual(nothingUsed);
  });
});

describe('streamed Anthropic responses', () => {
  test('writes a message start and a ping first, and the usage last', () => {
    expect(events([{ content: 'Hel' }, { content: 'lo "you"\n' }, { finishReason: 'stop' }])).toEqual([
      {
        type: 'message_start',
        message: {
          id: 'msg_r1',
          type: 'message',
          role: 'assistant',
          model: 'claude-x',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: nothingUsed,
        },
      },
      { type: 'ping' },
      start(0, emptyText),
      piece(0, { type: 'text_delta', text: 'Hel' }),
      piece(0, { type: 'text_delta', text: 'lo "you"\n' }),
      stop(0),
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { ...nothingUsed, input_tokens: 9, output_tokens: 3 },
      },
      { type: 'message_stop' },
    ]);
  });

  test('writes a complete stream for a response without content', () => {
    expect(events([]).map(({ type }) => type)).toEqual(['message_start', 'ping', 'message_delta', 'message_stop']);
  });

  test('writes the signature of a thinking block before the next block starts', () => {
    expect(
      inner(
        { reasoning: 'Hm ' },
        { reasoning: 'well' },
        { thought: { text: '', maker: 'anthropic', signature: 'c2ln' } },
        { thought: { text: '', maker: 'anthropic', sealed: 'ZGF0YQ' } },
        { content: 'Yes' },
        { citation: { url: 'https://a.test' } },
        { refusal: 'No' },
      ),
    ).toEqual([
      start(0, emptyThinking),
      piece(0, { type: 'thinking_delta', thinking: 'Hm ' }),
      piece(0, { type: 'thinking_delta', thinking: 'well' }),
      piece(0, { type: 'signature_delta', signature: 'c2ln' }),
      stop(0),
      start(1, { type: 'redacted_thinking', data: 'ZGF0YQ' }),
      stop(1),
      start(2, emptyText),
      piece(2, { type: 'text_delta', text: 'Yes' }),
      piece(2, {
        type: 'citations_delta',
        citation: {
          type: 'web_search_result_location',
          url: 'https://a.test',
          title: null,
          cited_text: '',
          encrypted_index: '',
        },
      }),
      piece(2, { type: 'text_delta', text: 'No' }),
      stop(2),
    ]);
  });

  test('ends an unsigned thinking block when the next block starts', () => {
    const sealed = { text: 'Well', maker: 'google', signature: 'Zw' } as const;
    const choice = { content: '', reasoning: 'HmWell', thoughts: [sealed], finishReason: 'stop' as const };
    expect(inner(...toDeltas({ choices: [choice], usage }))).toEqual([
      start(0, emptyThinking),
      piece(0, { type: 'thinking_delta', thinking: 'Hm' }),
      stop(0),
      start(1, emptyThinking),
      piece(1, { type: 'thinking_delta', thinking: 'Well' }),
      piece(1, { type: 'signature_delta', signature: 'hg1.google.Zw' }),
      stop(1),
    ]);
  });

  test('writes tool calls one after another, each after its signature', () => {
    expect(
      inner(
        { content: 'I look.' },
        { toolCall: { index: 0, id: 't1', name: 'now', arguments: '', thoughtSignature: 'Zw' } },
        { toolCall: { index: 0, arguments: '{"a":' } },
        { toolCall: { index: 0, arguments: '"}"}' } },
        { toolCall: { index: 1, id: 't2', name: 'now', arguments: '{}' } },
        { content: 'Done.' },
        { finishReason: 'tool_calls' },
      ),
    ).toEqual([
      start(0, emptyText),
      piece(0, { type: 'text_delta', text: 'I look.' }),
      stop(0),
      start(1, emptyThinking),
      piece(1, { type: 'signature_delta', signature: 'hg1.google.Zw' }),
      stop(1),
      start(2, call('t1')),
      json(2, '{"a":'),
      json(2, '"}"}'),
      stop(2),
      start(3, call('t2')),
      json(3, '{}'),
      stop(3),
      start(4, emptyText),
      piece(4, { type: 'text_delta', text: 'Done.' }),
      stop(4),
    ]);
  });

  test('writes interleaved tool calls one after another', () => {
    expect(
      inner(
        { toolCall: { index: 0, id: 't1', name: 'now', arguments: '{"a"' } },
        { toolCall: { index: 1, id: 't2', name: 'now', arguments: '{"b"' } },
        { toolCall: { index: 2, id: 't3', name: 'now', arguments: '' } },
        { content: 'So' },
        { toolCall: { index: 1, arguments: ':[2]' } },
        { toolCall: { index: 0, arguments: ':1}' } },
        { toolCall: { index: 1, arguments: '}' } },
        { finishReason: 'tool_calls' },
      ),
    ).toEqual([
      start(0, call('t1')),
      json(0, '{"a"'),
      json(0, ':1}'),
      stop(0),
      start(1, call('t2')),
      json(1, '{"b"'),
      json(1, ':[2]'),
      json(1, '}'),
      stop(1),
      start(2, call('t3')),
      stop(2),
      start(3, emptyText),
      piece(3, { type: 'text_delta', text: 'So' }),
      stop(3),
    ]);
  });

  test('writes buffered content when a tool call never ends', () => {
    expect(
      inner(
        { toolCall: { index: 0, id: 't1', name: 'now', arguments: '{"a":"}' } },
        { content: 'So', toolCall: { index: 1, id: 't2', name: 'now', arguments: '{' } },
        { finishReason: 'length' },
      ).filter(({ type }) => type === 'content_block_start'),
    ).toEqual([start(0, call('t1')), start(1, emptyText), start(2, call('t2'))]);
  });

  test.each(['{"a":"\\\\"}', '{"a":"\\"}"}', '{"a":[{"}":1}]} '])('finds the end of the arguments: %s', (given) => {
    for (let end = 1; end < given.trimEnd().length; end += 1) {
      const starts = inner(
        { toolCall: { index: 0, id: 't1', name: 'now', arguments: given.slice(0, end) } },
        { content: 'So' },
        { toolCall: { index: 0, arguments: given.slice(end) } },
        { content: ' be it' },
      ).map(({ type, index }) => `${String(type).slice('content_block_'.length)} ${String(index)}`);
      expect(starts).toEqual(['start 0', 'delta 0', 'delta 0', 'stop 0', 'start 1', 'delta 1', 'delta 1', 'stop 1']);
    }
  });

  test('keeps text that arrives in the same delta as part of an open tool call', () => {
    const reported = inner(
      { toolCall: { index: 0, id: 't1', name: 'now', arguments: '{' } },
      { content: 'So', toolCall: { index: 0, arguments: '}' } },
    );
    expect(reported).toEqual([
      start(0, call('t1')),
      json(0, '{'),
      json(0, '}'),
      stop(0),
      start(1, emptyText),
      piece(1, { type: 'text_delta', text: 'So' }),
      stop(1),
    ]);
  });

  test('drops all choices except the first', () => {
    expect(inner({ choice: 1, content: 'no' })).toEqual([]);
  });
});

describe('Anthropic errors', () => {
  const failure = { message: 'No', type: 'x', code: null, param: null, requestId: 'req_1' };

  test.each([
    [400, 400, 'invalid_request_error'],
    [401, 401, 'authentication_error'],
    [402, 402, 'billing_error'],
    [403, 403, 'permission_error'],
    [404, 404, 'not_found_error'],
    [413, 413, 'request_too_large'],
    [422, 422, 'invalid_request_error'],
    [429, 429, 'rate_limit_error'],
    [500, 500, 'api_error'],
    [502, 502, 'api_error'],
    [503, 529, 'overloaded_error'],
    [504, 504, 'timeout_error'],
    [529, 529, 'overloaded_error'],
  ])('maps status %i to %i and %s', (status, reported, type) => {
    const body = { type: 'error', error: { type, message: 'No' }, request_id: 'req_1' };
    expect(anthropicMessages.writeError({ ...failure, status })).toEqual({ status: reported, body });
    expect(anthropicMessages.writeErrorEvent({ ...failure, status })).toBe(
      `event: error\ndata: ${JSON.stringify(body)}\n\n`,
    );
  });
});
