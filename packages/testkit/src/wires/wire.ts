import type { ChannelTypeId } from '@headgate/contract';
import type { ReceivedRequest, UpstreamHandler } from '../upstreams/stub-upstream.ts';
import { weatherTool } from '../upstreams/upstream-responses.ts';

/** The client's request. */
export interface WireRequest {
  /** URL of the fake provider. */
  readonly url: string;
  /** Request body as sent by the client. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly isStream: boolean;
  readonly hasTools: boolean;
}

/** Kind of response: streamed or not, text or tool call. */
export interface ResponseMode {
  readonly isStream: boolean;
  readonly isCall: boolean;
}

/** Wire format of a provider: the request it expects and its responses. */
export interface Wire {
  readonly type: ChannelTypeId;
  readonly name: string;
  readonly model: string;
  /** Channel settings except the base URL. */
  readonly channel: (url: string) => Readonly<Record<string, unknown>> & { readonly key: string };
  readonly hasTools: boolean;
  /** Usage reported by the provider; undefined if it reports none. */
  readonly usage: { readonly prompt: number; readonly completion: number; readonly cached?: number } | undefined;
  /** True if the provider uses a WebSocket. */
  readonly isSocket?: boolean;
  /** Throws if the provider would not accept the request. */
  expectRequest(request: ReceivedRequest, requested: WireRequest): void;
  respond(format: ResponseMode): UpstreamHandler;
  /** Response to an invalid key, with this message. */
  reject(text: string): UpstreamHandler;
  /** Response to a key exchange; undefined for other requests. */
  exchange?(request: ReceivedRequest, url: string): UpstreamHandler | undefined;
}

export const defaultUsage = { prompt: 10, completion: 5 } as const;

export const channelKey = 'secret-key-of-the-channel';
export const bearer = `Bearer ${channelKey}`;

export const instruction = 'Be brief';
export const question = 'Hello?';
export const limit = 50;

/**
 * Request in OpenAI's newer format, with `developer` messages and `max_completion_tokens`, which some providers
 * reject.
 */
export const requestBody = (model: string, { isStream, hasTools }: Pick<WireRequest, 'isStream' | 'hasTools'>) => ({
  model,
  messages: [
    { role: 'developer' as const, content: instruction },
    { role: 'user' as const, content: question },
  ],
  max_completion_tokens: limit,
  ...(hasTools && { tools: [weatherTool] }),
  ...(isStream && { stream: true, stream_options: { include_usage: true } }),
});

export const tool = weatherTool.function;
export const toolInput = { city: 'Oslo' } as const;
export const toolJson = JSON.stringify(toolInput);
export const responseChunks = ['Hel', 'lo'] as const;
export const responseText = responseChunks.join('');

export const dataEvents = (events: readonly unknown[]): string[] =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`);

export type NamedEvent = Readonly<Record<string, unknown>> & { readonly type: string };

/** SSE events named after their type. */
export const namedEvents = (events: readonly NamedEvent[]): string[] =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
