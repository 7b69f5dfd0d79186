import {
  chatResponse,
  chunk,
  dataEvents,
  done,
  type NamedEvent,
  namedEvents,
  reply,
  roleChunk,
  stop,
  stream,
  textChunk,
  type UpstreamHandler,
  usageEvent,
} from '@headgate/testkit';
import { describe, expect, it } from 'vitest';
import { endpointKinds } from '../request/endpoint-kinds.ts';
import { useRelayFixtures } from '../testing/relay-fixture.ts';

const createRetrying = useRelayFixtures(undefined, { retries: 1, ports: { retriesEmptyResponses: () => true } });

interface EmptyWire {
  readonly type: number;
  /** Response with this text, or without content. */
  respond(isStream: boolean, text: string): UpstreamHandler;
}

const ollamaLine = (content: string, isDone: boolean) => ({
  model: 'gpt-4o',
  created_at: '2026-11-18T09:00:00Z',
  message: { role: 'assistant', content },
  done: isDone,
  ...(isDone && { done_reason: 'stop', prompt_eval_count: 10, eval_count: 0 }),
});

const claudeEventsOf = (text: string): readonly NamedEvent[] => [
  { type: 'message_start', message: { ...claudeMessageOf(''), stop_reason: null } },
  ...(text === ''
    ? []
    : [
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
        { type: 'content_block_stop', index: 0 },
      ]),
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
  { type: 'message_stop' },
];

const claudeMessageOf = (text: string) => ({
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'gpt-4o', stop_reason: 'end_turn', stop_sequence: null },
  content: text === '' ? [] : [{ type: 'text', text }],
  usage: { input_tokens: 10, output_tokens: 1 },
});

const geminiPart = (text: string) => ({
  candidates: [
    { content: { role: 'model', ...(text !== '' && { parts: [{ text }] }) }, finishReason: 'STOP', index: 0 },
  ],
  usageMetadata: { promptTokenCount: 10, totalTokenCount: 10 },
});

const responseOf = (text: string) => ({
  ...{ id: 'resp_1', object: 'response', created_at: 1, status: 'completed', model: 'gpt-4o' },
  output:
    text === ''
      ? []
      : [
          {
            id: 'msg_1',
            type: 'message',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text, annotations: [] }],
          },
        ],
  usage: { input_tokens: 10, output_tokens: 0, total_tokens: 10 },
});

const responseEvents = (text: string): readonly NamedEvent[] => [
  { type: 'response.created', response: { ...responseOf(''), status: 'in_progress' } },
  { type: 'response.in_progress', response: { ...responseOf(''), status: 'in_progress' } },
  ...(text === ''
    ? []
    : [{ type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: text }]),
  { type: 'response.completed', response: responseOf(text) },
];

const wires: Readonly<Record<string, EmptyWire>> = {
  'OpenAI chat': {
    type: 8,
    respond: (isStream, content) =>
      isStream
        ? stream([roleChunk, content === '' ? chunk({ content }) : textChunk(content), stop, usageEvent, done])
        : reply(chatResponse({ content })),
  },
  Claude: {
    type: 14,
    respond: (isStream, text) => (isStream ? stream(namedEvents(claudeEventsOf(text))) : reply(claudeMessageOf(text))),
  },
  Gemini: {
    type: 24,
    respond: (isStream, text) => (isStream ? stream(dataEvents([geminiPart(text)])) : reply(geminiPart(text))),
  },
  Ollama: {
    type: 30,
    respond: (isStream, text) => {
      const lines = [...(isStream ? [ollamaLine(text, false), ollamaLine('', true)] : [ollamaLine(text, true)])];
      return (response) => {
        response.writeHead(200, { 'content-type': isStream ? 'application/x-ndjson' : 'application/json' });
        response.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      };
    },
  },
};

const responsesWire: EmptyWire = {
  type: 1,
  respond: (isStream, text) => (isStream ? stream(namedEvents(responseEvents(text))) : reply(responseOf(text))),
};

const textCompletion = (text: string) => ({
  ...{ id: 'cmpl_1', object: 'text_completion', created: 1, model: 'gpt-4o' },
  choices: [{ index: 0, text, finish_reason: 'stop', logprobs: null }],
  usage: { prompt_tokens: 10, completion_tokens: 0, total_tokens: 10 },
});

const completionsWire: EmptyWire = {
  type: 1,
  respond: (isStream, text) =>
    isStream ? stream([...dataEvents([textCompletion(text)]), done]) : reply(textCompletion(text)),
};

const messages = [{ role: 'user', content: 'hi' }];
const clients = {
  chat: { messages },
  responses: { input: 'hi' },
  messages: { max_tokens: 10, messages },
  generateContent: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
  ollamaChat: { messages },
  ollamaGenerate: { prompt: 'hi' },
  completions: { prompt: 'hi' },
} as const;
type Client = keyof typeof clients;
const translated = (Object.keys(clients) as Client[]).filter((client) => client !== 'completions');

const cases = [
  ...Object.entries(wires).flatMap(([wire, row]) => translated.map((client) => [client, wire, row] as const)),
  ['responses', 'OpenAI Responses', responsesWire] as const,
  ['completions', 'OpenAI completions', completionsWire] as const,
].flatMap(([client, wire, row]) => [false, true].map((isStream) => [client, wire, isStream, row] as const));

describe('empty responses of every wire format in every dialect', () => {
  it.each(cases)(
    'retries an empty response and returns 502 if all are empty: client %s, upstream %s, streamed: %s',
    async (client, _, isStream, { type, respond }) => {
      const send = async (...texts: readonly string[]) => {
        const fixture = await createRetrying({
          upstreams: texts.map((text) => respond(isStream, text)),
          channel: (baseUrl) => ({ baseUrl, type }),
        });
        const body = { model: 'gpt-4o', ...clients[client], ...(client !== 'generateContent' && { stream: isStream }) };
        const address = { model: 'gpt-4o', isStream };
        const response = await fixture.post(
          endpointKinds[client],
          body,
          client === 'generateContent' ? { address } : {},
        );
        return { fixture, status: response.status, text: await response.text(), ledger: await fixture.ledger() };
      };
      const retried = await send('', 'Second');
      expect([retried.status, retried.text]).toEqual([200, expect.stringContaining('Second')]);
      expect(retried.ledger).toMatchObject({ drift: 0, user: { held: 0 } });
      expect(retried.ledger.outcomes.map(({ channel }) => channel)).toEqual([retried.fixture.channels[1]?.id]);
      const failed = await send('', '');
      expect([failed.status, failed.ledger.user.usedQuota, failed.ledger.drift]).toEqual([502, 0, 0]);
    },
  );
});
