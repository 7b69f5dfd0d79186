import type {
  ChatDelta,
  ChatField,
  ChatRequest,
  ChatResponse,
  ConversationName,
  InlineData,
  JsonObject,
  ReasoningSettings,
  UpstreamProblem,
  Usage,
} from '@headgate/dialects';
import type { Framing, StreamFrame } from './frames.ts';

export type { JsonObject };

/** Describes one kind of upstream. An absent endpoint is not supported, and the relay returns an error. */
export interface Provider extends Endpoints {
  /** Empty if the admin must set a base URL. */
  readonly baseUrl: string;
  /** Known models, in the order in which they are suggested. */
  readonly models: readonly string[];
  /** Exchange for short-lived credentials. The relay sends the request and caches the result for its lifetime. */
  readonly credential?: CredentialExchange;
  readonly balance?: BalanceCall;
  /** True for a proxy: its channels pass whole requests to their URL and have no endpoints or models. */
  readonly isProxy?: boolean;
  readonly modelList?: ModelListCall;
  /** Reasoning tokens in addition to the request's limit; absent: reasoning counts towards the limit. */
  readonly reasoningBeyondLimit?: (request: ReasoningSettings, model: string) => number;
  /** True if rerank requests are charged by searches, like Cohere's, not by tokens. */
  readonly ranksBySearch?: boolean;
  /**
   * Client headers that may be forwarded, in lowercase, with a trailing star for a family; absent: the default headers.
   */
  readonly clientHeaders?: readonly string[];
}

/** An endpoint, by its internal name. */
export type EndpointName = keyof Endpoints;

/** Native conversation endpoints other than OpenAI's chat; without them, requests are translated to `chat`. */
type NativeEndpoints = { readonly [Name in Exclude<ConversationName, 'chat'>]?: PerUpstream<PassThrough | undefined> };

interface Endpoints extends NativeEndpoints {
  readonly chat?: PerUpstream<PassThrough | ChatAdaptor>;
  /** Compaction of a conversation, with encrypted output. */
  readonly compact?: PerUpstream<PassThrough | undefined>;
  readonly completions?: PerUpstream<PassThrough | JsonAdaptor>;
  readonly embeddings?: PerUpstream<PassThrough | JsonAdaptor>;
  readonly moderations?: PerUpstream<PassThrough>;
  /** Rerank: documents ranked by relevance to a query, in Cohere's and Jina's format. */
  readonly rerank?: PerUpstream<PassThrough | JsonAdaptor | undefined>;
  /** Text of a document's pages, in Mistral's format. */
  readonly ocr?: PerUpstream<PassThrough>;
  readonly images?: PerUpstream<PassThrough | JsonAdaptor>;
  readonly imageEdits?: PerUpstream<PassThrough>;
  readonly speech?: PerUpstream<PassThrough>;
  readonly transcriptions?: PerUpstream<PassThrough>;
  readonly translations?: PerUpstream<PassThrough>;
}

/** A value that is the same for every channel, or depends on the channel's key, settings or model. */
export type PerUpstream<T> = T | ((upstream: Upstream) => T);

/**
 * Upstream of a request, passed to an adaptor: channel settings, model, and values that an adaptor must not generate
 * itself.
 */
export interface Upstream {
  /** Base URL of the channel or the provider, without a trailing slash. */
  readonly baseUrl: string;
  readonly key: string;
  /** Name of the model at the upstream. */
  readonly model: string;
  /** The requested model. */
  readonly requestedModel: string;
  readonly isStream: boolean;
  /** The channel's type-specific field, such as Azure's API version. */
  readonly other: string;
  readonly config: Readonly<Record<string, string>>;
  /** Client headers that may be sent to this provider. */
  readonly clientHeaders: Readonly<Record<string, string>>;
  /** The client's query string, for an upstream of the same dialect; undefined if there is none. */
  readonly query?: string | undefined;
  /** Result of the credential exchange; empty if there is none. */
  readonly credential: string;
  /** Maximum size of an upstream request body; see `jsonBody`. */
  readonly largestBody: number;
  /** Milliseconds since 1970, used in signatures. */
  readonly now: number;
  /** Unique per request, used in ids and signatures. */
  readonly nonce: string;
}

export interface UpstreamRequest {
  readonly method: 'GET' | 'POST';
  /** A `wss:` URL is opened as a WebSocket, and the body is sent as its first message. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Minimum and maximum of fields, by name. */
export type ParameterRanges = Partial<
  Readonly<
    Record<'temperature' | 'top_p' | 'frequency_penalty' | 'presence_penalty', readonly [least: number, most: number]>
  >
>;

/**
 * Models, by name, that do not accept a type of `response_format`, which is then converted to an instruction in the
 * prompt.
 */
export interface UnsupportedFormats {
  readonly json_schema?: RegExp;
  readonly json_object?: RegExp;
}

/** The client's own dialect: requests and responses pass unchanged; only URL and headers differ. */
export interface PassThrough {
  readonly kind: 'pass';
  /** URL and headers of the request, except the content type. */
  send(upstream: Upstream): Pick<UpstreamRequest, 'url' | 'headers'>;
  /** Top-level JSON fields to set; a field set to undefined is removed. */
  patch?(body: JsonObject, upstream: Upstream): JsonObject;
  /** Accepted ranges of numbers; values outside are clamped and reported to the client. */
  readonly ranges?: ParameterRanges;
  /**
   * Fields that are dropped and reported to the client, because the upstream would reject them or only the admin may
   * set them.
   */
  drops?(body: JsonObject, upstream: Upstream): readonly string[];
  readonly lacks?: UnsupportedFormats;
  /** True if the upstream rejects `stream_options`, so that usage cannot be requested. */
  readonly rejectsStreamOptions?: boolean;
  /** Reads responses that are not in OpenAI's format while they pass through. */
  readonly watch?: ResponseDecoder;
  /** An in-band error inside a 200 that is not under `error`: its field and a function to read it. */
  readonly hiddenError?: { readonly field: string; read(body: JsonObject): UpstreamProblem | undefined };
  /** Reads an error response whose status does not match its message. */
  readProblem?(status: number, body: unknown): UpstreamProblem | undefined;
  /** Features beyond OpenAI's chat, for translated requests. */
  readonly extraFeatures?: ExtraFeatures;
  /** Set if images must be embedded; the relay fetches images given by URL. */
  readonly images?: InlineImages;
  /** True if servers of this kind may lack the endpoint; requests are then translated for their chat endpoint. */
  readonly isOptional?: boolean;
  /**
   * Request for a stored upstream response, relative to the collection URL. Absent: the upstream does not store
   * responses.
   */
  readonly storedResponse?: (upstream: Upstream, below: string) => Pick<UpstreamRequest, 'url' | 'headers'>;
}

/** Finds images by URL in a request that is passed through, and embeds them. */
export interface InlineImages {
  collectUrls(body: JsonObject): readonly string[];
  /** Fields to set so that the images are embedded. */
  withImages(body: JsonObject, images: ReadonlyMap<string, InlineData>): JsonObject;
}

export interface ExtraFeatures {
  readonly hints?: readonly ('top_k' | 'min_p')[];
  /** The vendor's own reasoning field, for model names with a reasoning suffix; absent: only `reasoning_effort`. */
  readonly reasoningField?: 'thinking' | 'enable_thinking' | 'reasoning';
  /** Reasoning efforts besides low, medium and high. */
  readonly efforts?: readonly string[];
  /** Field in which the vendor requires the reasoning before a tool call; other vendors reject or ignore the field. */
  readonly thoughtsField?: 'reasoning_content' | 'reasoning_details';
  /** True if Claude's cache markers are supported. */
  readonly takesCacheMarks?: boolean;
}

/** Reads an upstream's responses, whole and in chunks. */
export interface ResponseDecoder {
  decode(body: unknown): ChatResponse;
  readonly stream: { readonly framing: Framing; open(): StreamDecoder };
  /** Ids under which the upstream stores a whole response; undefined if it does not store it. */
  keptAs?(body: unknown): StoredIds | undefined;
}

/** Ids under which an upstream stores a response. */
export interface StoredIds {
  readonly id: string;
  /** Ids of the items, up to the limit. */
  readonly items: readonly string[];
  /** Number of items that are images. */
  readonly images: number;
  /** True if the items contain only model output and no results of provider tools. */
  readonly isModelOutput: boolean;
}

/**
 * Translates a chat to one upstream wire format and back. Pure: no network, no clock, no storage. The relay owns
 * sockets, retries and billing.
 */
export interface ChatAdaptor {
  readonly kind: 'convert';
  /**
   * Supported fields. Other hints are dropped and reported to the client; other requirements are rejected with the
   * field's name.
   */
  readonly takes: readonly ChatField[];
  /** Accepted ranges of hints; values outside are clamped and reported to the client. */
  readonly ranges?: ParameterRanges;
  readonly lacks?: UnsupportedFormats;
  /** True if images must be embedded; the relay fetches images given by URL. */
  readonly inlinesImages?: boolean;
  /** True if a tool result may contain images and files; otherwise they follow in a user message. */
  readonly supportsImagesInToolResults?: boolean;
  /** True if only input is charged, so that a response without tokens is valid. */
  readonly hasFreeOutput?: boolean;
  /** Fields that enable reasoning; some parameters are rejected together with them. */
  reasoningFields?(request: ChatRequest, model: string): JsonObject;
  /** Hints that this model rejects, which are dropped and reported to the client. */
  drops?(request: ChatRequest, upstream: Upstream): readonly string[];
  encode(request: ChatRequest, upstream: Upstream): UpstreamRequest;
  /** Absent when the upstream only streams; the relay then buffers the stream. */
  decode?(body: unknown): ChatResponse;
  /** Absent when the upstream never streams; the relay then sends the whole response as a stream. */
  readonly stream?: { readonly framing: Framing; open(): StreamDecoder };
  /** Reads an error response that is not in the usual format. */
  readProblem?(status: number, body: unknown): UpstreamProblem | undefined;
}

/**
 * State of one stream. Synchronous, so that a token needs no promise. Throws an UpstreamProblem on an error inside the
 * stream.
 */
export interface StreamDecoder {
  push(frame: StreamFrame): readonly ChatDelta[];
  /** Usage reported so far; undefined if none was reported. */
  readonly usage: Usage | undefined;
  /** Ids under which the upstream stores the finished response; undefined if it reports none. */
  readonly keptAs?: StoredIds | undefined;
  /** True if the last event repeats the start of the message; a client of the same dialect must not receive it. */
  readonly isRepeatedStart?: boolean;
  /** The whole response, if the stream repeated it at its end. */
  readonly response?: JsonObject | undefined;
  /** Number of response characters so far that are in no delta, although a client of the same dialect receives them. */
  readonly unread?: number;
  /**
   * Position of the text in an event that contains only text, in a latin1 string; such an event need not be pushed.
   * Undefined if the event must be pushed. Saves most of the cost of reading a stream.
   */
  textRangeIn?(text: string, from: number, to: number): TextRange | undefined;
}

export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** Translates an endpoint with JSON requests and non-streamed JSON responses. */
export interface JsonAdaptor {
  readonly kind: 'convert';
  /** Unsupported optional fields, to be reported to the client. */
  drops?(body: JsonObject, upstream: Upstream): readonly string[];
  encode(body: JsonObject, upstream: Upstream): UpstreamRequest;
  /** `original` is the request, for responses that only refer back to it. */
  decode(body: unknown, upstream: Upstream, original?: JsonObject): JsonResult | PendingResult;
  readProblem?(status: number, body: unknown): UpstreamProblem | undefined;
}

export interface JsonResult {
  readonly reply: JsonObject;
  readonly usage?: Usage;
}

/** The upstream is still working: poll with this request after a delay. */
export interface PendingResult {
  readonly next: UpstreamRequest;
  readonly afterMs: number;
}

export interface CredentialExchange {
  /** Undefined if the channel's key is used directly. */
  request(upstream: Upstream): UpstreamRequest | undefined;
  read(body: unknown): { readonly credential: string; readonly seconds: number };
}

/** Remaining balance of a channel, in the unit of its type. */
export interface BalanceCall {
  requests(upstream: Upstream): readonly UpstreamRequest[];
  /** `bodies` are the responses in the order of the requests. */
  read(bodies: readonly unknown[]): number;
}

export interface ModelListCall {
  request(upstream: Upstream): UpstreamRequest;
  read(body: unknown): readonly string[];
}
