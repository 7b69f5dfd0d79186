import type { ChannelTypeId } from '@headgate/contract';
import type { SeenRequest, UpstreamAnswer } from '../upstreams/stub-upstream.ts';
import { weatherTool } from '../upstreams/upstream-answers.ts';

/** What the client asked for, and of whom. */
export interface Asked {
  /** The stand-in's address. */
  readonly url: string;
  /** As the client sent it. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly isStream: boolean;
  readonly hasTools: boolean;
}

/** How a provider answers: in one piece or in many, with a text or with the call of a tool. */
export interface Manner {
  readonly isStream: boolean;
  readonly isCall: boolean;
}

/** One provider's true wire: what it demands of a request, and how it answers. */
export interface Wire {
  readonly type: ChannelTypeId;
  readonly name: string;
  readonly model: string;
  /** Of the channel, beside its address. */
  readonly channel: (url: string) => Readonly<Record<string, unknown>> & { readonly key: string };
  readonly hasTools: boolean;
  /** As the provider tells it; undefined when it does not. */
  readonly usage: { readonly prompt: number; readonly completion: number; readonly cached?: number } | undefined;
  /** It speaks on a socket. */
  readonly isSocket?: boolean;
  /** Throws what is wrong with a request. */
  expectRequest(request: SeenRequest, asked: Asked): void;
  answer(manner: Manner): UpstreamAnswer;
  /** How it refuses a key, in these words. */
  refuse(words: string): UpstreamAnswer;
  /** Its answer to the exchange of a key, when the request is one. */
  exchange?(request: SeenRequest, url: string): UpstreamAnswer | undefined;
}

export const usualUsage = { prompt: 10, completion: 5 } as const;

export const channelKey = 'secret-key-of-the-channel';
export const bearer = `Bearer ${channelKey}`;

export const instruction = 'Be brief';
export const question = 'Hello?';
export const limit = 50;

/** In the newer of OpenAI's words, which some providers must not see. */
export const questionBody = (model: string, { isStream, hasTools }: Pick<Asked, 'isStream' | 'hasTools'>) => ({
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
export const answerPieces = ['Hel', 'lo'] as const;
export const answerText = answerPieces.join('');

export const dataEvents = (events: readonly unknown[]): string[] =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`);

export type NamedEvent = Readonly<Record<string, unknown>> & { readonly type: string };

/** Under the name of their type. */
export const namedEvents = (events: readonly NamedEvent[]): string[] =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
