import type {
  ChatAnswer,
  ChatDelta,
  ChatField,
  ChatRequest,
  ConversationName,
  InlineData,
  JsonObject,
  ThinkingWish,
  UpstreamProblem,
  Usage,
} from '@headgate/dialects';
import type { Framing, StreamFrame } from './frames.ts';

export type { JsonObject };

/** Everything the gateway knows of one kind of upstream. An absent endpoint means: it cannot, and the relay says so. */
export interface Provider extends Endpoints {
  /** Empty when the admin must supply one. */
  readonly baseUrl: string;
  /** The models it is known to offer, in the order to propose them. */
  readonly models: readonly string[];
  /** For short-lived credentials. The relay sends the request and keeps the answer for as long as it is good. */
  readonly credential?: CredentialExchange;
  readonly balance?: BalanceCall;
  /** A proxy: its channels pass whole calls to their address, and have no endpoints and no models of their own. */
  readonly isProxy?: boolean;
  readonly modelList?: ModelListCall;
  /** How many tokens it may think beside the request's limit; absent: what it thinks counts against the limit. */
  readonly thoughtsBesideLimit?: (wish: ThinkingWish, model: string) => number;
  /** Rankings are paid by searches, as Cohere's are, and not by tokens. */
  readonly ranksBySearch?: boolean;
  /** Which of the client's headers may reach it, in small letters, with a star at the end of a family's name; absent: those that all hear. */
  readonly clientHeaders?: readonly string[];
}

/** An endpoint that clients ask, by the name it has inside. */
export type EndpointName = keyof Endpoints;

/** Conversations in other words than OpenAI's chat, where they are the upstream's own; elsewhere translated to `chat`. */
type OwnWords = { readonly [Name in Exclude<ConversationName, 'chat'>]?: ByUpstream<PassThrough | undefined> };

interface Endpoints extends OwnWords {
  readonly chat?: ByUpstream<PassThrough | ChatAdaptor>;
  /** A conversation made shorter, in words that only its maker reads. */
  readonly compact?: ByUpstream<PassThrough | undefined>;
  readonly completions?: ByUpstream<PassThrough | JsonAdaptor>;
  readonly embeddings?: ByUpstream<PassThrough | JsonAdaptor>;
  readonly moderations?: ByUpstream<PassThrough>;
  /** Documents by how well they answer a question, in Cohere's and Jina's words. */
  readonly rerank?: ByUpstream<PassThrough | JsonAdaptor | undefined>;
  readonly images?: ByUpstream<PassThrough | JsonAdaptor>;
  readonly imageEdits?: ByUpstream<PassThrough>;
  readonly speech?: ByUpstream<PassThrough>;
  readonly transcriptions?: ByUpstream<PassThrough>;
  readonly translations?: ByUpstream<PassThrough>;
}

/** A value that is the same for every channel, or chosen by its key, settings or model. */
export type ByUpstream<T> = T | ((upstream: Upstream) => T);

/** A request's upstream, as far as an adaptor may know it: the channel's settings, the model, and what it must not make itself. */
export interface Upstream {
  /** The admin's address or the provider's own, without a slash at its end. */
  readonly baseUrl: string;
  readonly key: string;
  /** What the upstream calls the model. */
  readonly model: string;
  /** What the client asked for. */
  readonly requestedModel: string;
  readonly isStream: boolean;
  /** The channel's type-specific field, as in Azure's API version. */
  readonly other: string;
  readonly config: Readonly<Record<string, string>>;
  /** The client's headers that this provider may be sent. */
  readonly clientHeaders: Readonly<Record<string, string>>;
  /** What the client added to the address, for an upstream of its own dialect; undefined: nothing. */
  readonly query?: string | undefined;
  /** What the credential exchange gave; empty when there is none. */
  readonly credential: string;
  /** The most bytes that the body of an upstream request may have; see `jsonBody`. */
  readonly largestBody: number;
  /** Milliseconds since 1970, for signatures. */
  readonly now: number;
  /** A word that no other request has, for ids and signatures. */
  readonly nonce: string;
}

export interface UpstreamRequest {
  readonly method: 'GET' | 'POST';
  /** A `wss:` address is opened as a socket and the body sent as its first message. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The least and the most of fields, by their names. */
export type Ranges = Partial<
  Readonly<
    Record<'temperature' | 'top_p' | 'frequency_penalty' | 'presence_penalty', readonly [least: number, most: number]>
  >
>;

/** Models, by their names, that do not accept a type of `response_format`: it becomes an instruction in the prompt. */
export interface LackedFormats {
  readonly json_schema?: RegExp;
  readonly json_object?: RegExp;
}

/** The client's own dialect: requests and answers pass as they are, only where and how they are sent differs. */
export interface PassThrough {
  readonly kind: 'pass';
  /** Where the request goes, and the headers beside its content type. */
  send(upstream: Upstream): Pick<UpstreamRequest, 'url' | 'headers'>;
  /** Top-level fields of the JSON to set; undefined takes one away. */
  patch?(body: JsonObject, upstream: Upstream): JsonObject;
  /** Numbers it takes only within bounds; what lies outside is moved to the nearest, and named to the client. */
  readonly ranges?: Ranges;
  /** Fields that do not go out, and are named to the client: it would refuse them, or they are the admin's. */
  leavesOut?(body: JsonObject, upstream: Upstream): readonly string[];
  readonly lacks?: LackedFormats;
  /** The upstream refuses `stream_options`, so usage cannot be asked for. */
  readonly refusesStreamOptions?: boolean;
  /** Reads answers as they pass, where they are not in OpenAI's words. */
  readonly watch?: AnswerReader;
  /** An error inside a 200 that is not under `error`: the field that gives it away, and how it reads. */
  readonly hiddenError?: { readonly field: string; read(body: JsonObject): UpstreamProblem | undefined };
  /** Reads an error answer whose status says something else than its words. */
  readProblem?(status: number, body: unknown): UpstreamProblem | undefined;
  /** What it knows beyond OpenAI's own chat, for requests that are translated into it. */
  readonly beyondOpenai?: BeyondOpenai;
  /** Pictures must be in the request itself: the relay fetches those given by address. */
  readonly images?: InlineImages;
  /** Servers of this kind may lack the endpoint: a request is then translated for their chat endpoint. */
  readonly isOptional?: boolean;
  /** Where answers that the upstream keeps can be asked for, below the address of all of them. Absent: it keeps none. */
  readonly kept?: (upstream: Upstream, below: string) => Pick<UpstreamRequest, 'url' | 'headers'>;
}

/** How pictures by their address are found in a request that passes, and put into it. */
export interface InlineImages {
  addressesIn(body: JsonObject): readonly string[];
  /** Fields to set so that the request holds them. */
  withImages(body: JsonObject, images: ReadonlyMap<string, InlineData>): JsonObject;
}

export interface BeyondOpenai {
  readonly hints?: readonly ('top_k' | 'min_p')[];
  /** Words for how much to think, beside low, medium and high. */
  readonly efforts?: readonly string[];
  /** Where it wants back what it thought before it called a tool; others refuse the field, or ignore it. */
  readonly thoughtsField?: 'reasoning_content' | 'reasoning_details';
  /** Claude's marks for caching. */
  readonly takesCacheMarks?: boolean;
}

/** How an upstream's answers are read, whole and in pieces. */
export interface AnswerReader {
  decode(body: unknown): ChatAnswer;
  readonly stream: { readonly framing: Framing; open(): StreamDecoder };
  /** Under which the upstream keeps a whole answer; undefined when it says that it does not. */
  keptAs?(body: unknown): KeptIds | undefined;
}

/** Under which an upstream keeps an answer. */
export interface KeptIds {
  readonly id: string;
  /** Those of its items, as far as there is room. */
  readonly items: readonly string[];
  /** How many of them are pictures. */
  readonly pictures: number;
  /** Whether they hold what the model said, and no more: nothing that the provider's tools found or made. */
  readonly isSaid: boolean;
}

/**
 * Translates a chat to one upstream wire format and back.
 * Pure: no network, no clock, no storage. The relay owns sockets, retries and billing.
 */
export interface ChatAdaptor {
  readonly kind: 'convert';
  /** What it carries over. Of anything else a hint is left out and named to the client, a demand is refused by name. */
  readonly takes: readonly ChatField[];
  /** Hints it takes only within bounds; what lies outside is moved to the nearest, and named to the client. */
  readonly ranges?: Ranges;
  readonly lacks?: LackedFormats;
  /** Pictures must be in the request itself: the relay fetches those given by address. */
  readonly inlinesImages?: boolean;
  /** A tool's result may hold pictures and files; without it those are shown by the user right after. */
  readonly takesPicturesInResults?: boolean;
  /** The price is for what is sent: an answer of no tokens is meant so. */
  readonly answersForFree?: boolean;
  /** The fields by which it will make the model reason: some parameters are rejected then. */
  reasoningFields?(request: ChatRequest, model: string): JsonObject;
  /** Hints that this model of it would refuse, so that they do not go out; to be named to the client. */
  leavesOut?(request: ChatRequest, upstream: Upstream): readonly string[];
  encode(request: ChatRequest, upstream: Upstream): UpstreamRequest;
  /** Absent when the upstream only streams; the relay then gathers the stream. */
  decode?(body: unknown): ChatAnswer;
  /** Absent when the upstream never streams; the relay then sends the whole answer as one. */
  readonly stream?: { readonly framing: Framing; open(): StreamDecoder };
  /** Reads an error answer that is not in the usual places. */
  readProblem?(status: number, body: unknown): UpstreamProblem | undefined;
}

/** Holds the state of one stream. Synchronous, so a token costs no promise. Throws UpstreamProblem on an error inside. */
export interface StreamDecoder {
  push(frame: StreamFrame): readonly ChatDelta[];
  /** Usage as far as the upstream has told it; undefined when it has not. */
  readonly usage: Usage | undefined;
  /** Under which the upstream keeps the answer that came to its end; undefined when it does not say. */
  readonly keptAs?: KeptIds | undefined;
  /** The last event repeats the start of the message: a client of the same dialect must not get it. */
  readonly isRepeatedStart?: boolean;
  /** The whole answer, when the stream has repeated it at its end. */
  readonly answer?: JsonObject | undefined;
  /** Characters of the answer so far that no delta tells: a client who gets the stream as it is has them too. */
  readonly unread?: number;
  /**
   * Where the words are of an event that carries words alone and need not be pushed, in a text of one character for each
   * byte; undefined when it must be. Saves most of what watching a stream costs.
   */
  wordsIn?(text: string, from: number, to: number): WordRange | undefined;
}

export interface WordRange {
  readonly from: number;
  readonly to: number;
}

/** Translates an endpoint that takes JSON and answers JSON in one piece. */
export interface JsonAdaptor {
  readonly kind: 'convert';
  /** Fields that only hint at how to answer and that it has none of, to be named to the client. */
  leavesOut?(body: JsonObject, upstream: Upstream): readonly string[];
  encode(body: JsonObject, upstream: Upstream): UpstreamRequest;
  /** `asked` is the request, for answers that only point into it. */
  decode(body: unknown, upstream: Upstream, asked?: JsonObject): JsonAnswer | AskAgain;
  readProblem?(status: number, body: unknown): UpstreamProblem | undefined;
}

export interface JsonAnswer {
  readonly reply: JsonObject;
  readonly usage?: Usage;
}

/** The upstream works on it: ask so, after a while. */
export interface AskAgain {
  readonly next: UpstreamRequest;
  readonly afterMs: number;
}

export interface CredentialExchange {
  /** Undefined when this channel's key is used as it is. */
  request(upstream: Upstream): UpstreamRequest | undefined;
  read(body: unknown): { readonly credential: string; readonly seconds: number };
}

/** What a channel has left, in the unit its type is shown in. */
export interface BalanceCall {
  requests(upstream: Upstream): readonly UpstreamRequest[];
  /** The answers in the order of the requests. */
  read(bodies: readonly unknown[]): number;
}

export interface ModelListCall {
  request(upstream: Upstream): UpstreamRequest;
  read(body: unknown): readonly string[];
}
