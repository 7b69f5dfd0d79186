import type { ChannelTypeId } from '@headgate/contract';
import { expect } from 'vitest';
import { type ReceivedRequest, reply, stream } from '../upstreams/stub-upstream.ts';
import {
  bearer,
  channelKey,
  defaultUsage,
  limit,
  type ResponseMode,
  responseChunks,
  responseText,
  toolJson,
  type Wire,
} from './wire.ts';

type Body = Readonly<Record<string, unknown>>;

/** Differences of a provider from OpenAI. */
export interface DialectRow {
  readonly path?: string;
  readonly channel?: Readonly<Record<string, unknown>>;
  /** Path appended to the URL of the fake provider. */
  readonly basePath?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly expectHeaders?: (request: ReceivedRequest) => void;
  /** Expected request body, if it differs from the client's body. */
  readonly body?: (body: Body) => Body;
  /** Fields added to every response and every chunk. */
  readonly extraFields?: Body;
  /** Lines before the first event. */
  readonly prelude?: string;
  /** Prefix of each event. */
  readonly dataPrefix?: string;
  /** Position of the usage in the last chunk of a stream. */
  readonly usageAt?: 'x_groq' | 'choice' | 'last';
  readonly reject?: Wire['reject'];
}

/** Wire of a provider with an OpenAI-compatible API. */
export function dialectWire(type: ChannelTypeId, name: string, model: string, row: DialectRow = {}): Wire {
  const path = row.path ?? '/v1/chat/completions';
  return {
    type,
    name,
    model,
    hasTools: true,
    usage: defaultUsage,
    channel: (url) => ({
      key: channelKey,
      ...row.channel,
      ...(row.basePath !== undefined && { base_url: url + row.basePath }),
    }),
    expectRequest(request, { body, isStream }) {
      expect(request.method).toBe('POST');
      expect(request.path).toBe((row.basePath ?? '') + path);
      expect(request.headers).toMatchObject({
        ...(!row.expectHeaders && { authorization: bearer }),
        'content-type': 'application/json',
        accept: isStream ? 'text/event-stream' : 'application/json',
        ...row.headers,
      });
      row.expectHeaders?.(request);
      expect(request.body).toEqual(row.body?.(body) ?? body);
    },
    respond: (format) =>
      format.isStream ? stream(chunksOf(row, model, format.isCall)) : reply(chatResponseOf(row, model, format)),
    reject:
      row.reject ??
      ((message) =>
        reply({ error: { message, type: 'invalid_request_error', param: null, code: 'invalid_api_key' } }, 401)),
  };
}

/** Request in OpenAI's older format, with `max_tokens`. */
export const withMaxTokens = ({ max_completion_tokens: _, ...body }: Body): Body =>
  withSystemRole({ ...body, max_tokens: limit });

export const withSystemRole = (body: Body): Body => ({
  ...body,
  messages: (body['messages'] as readonly Body[]).map((message) =>
    message['role'] === 'developer' ? { ...message, role: 'system' } : message,
  ),
});

export const withoutStreamOptions = ({ stream_options: _, ...body }: Body): Body => body;

const usage = {
  prompt_tokens: defaultUsage.prompt,
  completion_tokens: defaultUsage.completion,
  total_tokens: defaultUsage.prompt + defaultUsage.completion,
};
const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: toolJson } };

const chatResponseOf = ({ extraFields }: DialectRow, model: string, { isCall }: ResponseMode) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_735_689_600,
  model,
  ...extraFields,
  choices: [
    {
      index: 0,
      message: { role: 'assistant', ...(isCall ? { content: null, tool_calls: [call] } : { content: responseText }) },
      finish_reason: isCall ? 'tool_calls' : 'stop',
    },
  ],
  usage,
});

function chunksOf(row: DialectRow, model: string, isCall: boolean): string[] {
  const chunk = (choices: readonly unknown[], rest: Body = {}) =>
    `${row.dataPrefix ?? 'data: '}${JSON.stringify({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_735_689_600,
      model,
      choices,
      ...row.extraFields,
      ...rest,
    })}\n\n`;
  const delta = (sent: Body) => chunk([{ index: 0, delta: sent, finish_reason: null }]);
  const sentBatch = isCall
    ? [
        { tool_calls: [{ index: 0, ...call, function: { name: 'weather', arguments: '' } }] },
        { tool_calls: [{ index: 0, function: { arguments: toolJson } }] },
      ]
    : responseChunks.map((content) => ({ content }));
  const inChoice = row.usageAt === 'choice' && { usage };
  const last = { index: 0, delta: {}, finish_reason: isCall ? 'tool_calls' : 'stop', ...inChoice };
  const otherFields = {
    ...(row.usageAt === 'x_groq' && { x_groq: { usage } }),
    ...(row.usageAt === 'last' && { usage }),
  };
  return [
    row.prelude ?? '',
    delta({ role: 'assistant', content: isCall ? null : '' }),
    ...sentBatch.map(delta),
    chunk([last], otherFields),
    ...(row.usageAt === undefined ? [chunk([], { usage })] : []),
    'data: [DONE]\n\n',
  ];
}
