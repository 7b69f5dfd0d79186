import type { ChatRequest } from './chat/chat-request.ts';
import type { ChatDelta, ChatResponse, Usage } from './chat/chat-response.ts';
import type { JsonObject } from './json-fields.ts';
import type { LimitHeaders, RemainingLimits } from './limit-headers.ts';
import type { ResponseScan } from './response-scan.ts';
import type { StoredFile } from './stored-files.ts';

/**
 * One of the API formats of chat clients: reads requests and writes responses. Pure: no network, no clock, no
 * storage.
 */
export interface Dialect {
  /** Name in logs. */
  readonly name: string;
  /** Header for the request id, if it is not `x-request-id`. */
  readonly requestIdHeader?: string;
  /** Rate limit headers of this dialect; `now` is in milliseconds since 1970. Absent: OpenAI's. */
  limitHeaders?(remaining: RemainingLimits, now: number): LimitHeaders;
  /** Path of its conversation endpoint. */
  readonly path: string;
  /** Normalizes alternative forms of a body; absent if there are none. */
  normalize?(body: JsonObject): JsonObject;
  /**
   * Fields that the relay checks and prices before translation. Throws a RequestProblem that names the invalid field.
   */
  readOutline(body: JsonObject, address: RequestUrlInfo): RequestOutline;
  /** The whole request; throws a RequestProblem that names the invalid field. */
  readRequest(body: JsonObject, address: RequestUrlInfo): ChatRequest;
  /** Types of provider tools with an unknown price; absent: as in OpenAI's chat. */
  findServerTools?(body: JsonObject): readonly string[];
  /** Fields to set in order to remove those tools; undefined if one of them is required. */
  withoutServerTools?(body: JsonObject): JsonObject | undefined;
  /**
   * First reference to a file or other data that is stored in the operator's upstream account and that clients may not
   * use; absent: the dialect has no such references.
   */
  readStoredFile?(body: JsonObject, allowed: readonly string[]): StoredFile | undefined;
  /** Conversation id of a request; undefined: none given. Absent: the dialect has no such field. */
  conversationIn?(body: JsonObject): string | undefined;
  /** Items of earlier responses that the upstream must look up in its storage; absent: the dialect has none. */
  collectItemReferences?(body: JsonObject): readonly ItemReference[];
  /** Fields to set so that no stored items are looked up; optional items lose their id. */
  withoutItems?(body: JsonObject, ids: ReadonlySet<string>): JsonObject;
  /** How the gateway stores responses of this dialect; absent: clients cannot reference earlier responses. */
  readonly storage?: ResponseStorage;
  /** Fields to set in order to replace the system prompt; a field set to undefined is removed. */
  withSystemPrompt(body: JsonObject, systemPrompt: string): JsonObject;
  /** Fields to set so that a stream reports usage; absent: every stream does. */
  requestUsage?(body: JsonObject): JsonObject;
  /** Fields to set for an upstream that rejects a request for usage; a field set to undefined is removed. */
  withoutUsageRequest?(body: JsonObject): JsonObject;
  /** Name of the output limit field, for error messages. */
  readonly limitField: string;
  /** Prompt fields, for token counting. */
  readonly prompt: PromptFields;
  /** Scans responses that are passed through; absent: the provider reads them, see its `watch`. */
  readonly scan?: ResponseScan;
  /** Response to a request that only preloads a model and is not sent upstream; undefined for other requests. */
  preloadResponse?(reply: ResponseEnvelope): string | undefined;
  writeResponse(response: ChatResponse, reply: ResponseEnvelope): string;
  openStream(reply: ResponseEnvelope): StreamWriter;
  /** Writes an error before the first byte of a response. */
  writeError(failure: Failure): ErrorResponse;
  /** Writes an error after the first byte, as the last event. */
  writeErrorEvent(failure: Failure): string;
}

/** Information in the URL of a request. */
export interface RequestUrlInfo {
  /** Model in the path; undefined if the body names it. */
  readonly model?: string | undefined;
  /** True if the path is for streaming, false if it never streams; undefined if the body decides. */
  readonly isStream?: boolean | undefined;
  /** Query parameters of the dialect, without keys; undefined: none. */
  readonly query?: string | undefined;
  /** Stream format, if the client can choose it; undefined: events. */
  readonly framing?: StreamFraming | undefined;
}

/** Server-sent events, or items of one JSON array, which is Gemini's default. */
export type StreamFraming = 'sse' | 'json-list';

export interface RequestOutline {
  /** Empty if the client names none. */
  readonly model: string;
  readonly isStream: boolean;
  /** True if the client requested usage at the end of the stream, or its dialect always includes it. */
  readonly wantsUsage: boolean;
  /** Maximum completion tokens including reasoning; undefined: not set. */
  readonly completionLimit: number | undefined;
  /** Number of choices requested. */
  readonly choiceCount: number;
  /** Number of choices generated and charged per prompt, including discarded ones. */
  readonly tries: number;
  /** True if the upstream may extend the prompt with search results or a stored conversation. */
  readonly mayGrowPrompt: boolean;
  /** True if the request offers tools, for which some providers add text to the prompt. */
  readonly hasTools: boolean;
  /** True if the prompt or a predicted output in the request is charged again as completion. */
  readonly repeatsPrompt: boolean;
  /** True if the upstream first summarizes earlier turns: it reads the prompt once more and generates a summary. */
  readonly summarizesFirst: boolean;
  readonly thinking: ReasoningSettings;
  /** Earlier response that the request continues, stored only at the upstream; undefined if the request is complete. */
  readonly previousResponse?: PreviousResponse | undefined;
  /** True if the upstream may truncate the start of a prompt that is too long; its stored copy is complete. */
  readonly mayDropPrompt?: boolean;
  /** True if the upstream may store the response so that it can be continued. */
  readonly mayBeStored?: boolean;
}

/** A response referenced by id. */
export interface PreviousResponse {
  readonly id: string;
  /** Field that contains the id. */
  readonly field: string;
  /** Error when this user has no such response. */
  readonly missing: { readonly message: string; readonly code: string };
}

/** An item of an earlier response referenced by id. */
export interface ItemReference {
  readonly id: string;
  /** True if the request depends on the item; reasoning is optional. */
  readonly isNeeded: boolean;
}

/** Responses stored by the gateway, for upstreams that do not store them. */
export interface ResponseStorage {
  /** Entry of a finished response; undefined when the response has no id. */
  entryOf(body: JsonObject, response: JsonObject): StoredResponse | undefined;
  /** Inlines the stored response and items that the body references. */
  withStored(body: JsonObject, stored: ReferencedContext): JsonObject;
  /** Marks a response, or the last events of a stream, as not stored. */
  unstored(text: string): string;
  /** Item of a stored response; undefined for an unknown id. */
  itemIn(response: JsonObject, id: string): JsonObject | undefined;
  /** One page of the input of a stored response. Throws a RequestProblem for an invalid query. */
  listInput(stored: Pick<StoredResponse, 'id' | 'input'>, query: InputQuery): JsonObject;
}

/** A finished response with its input, including earlier responses. */
export interface StoredResponse {
  readonly id: string;
  /** Ids of the items, by which later requests may reference them. */
  readonly itemIds: readonly string[];
  readonly input: readonly unknown[];
  readonly response: JsonObject;
}

/** Stored responses that a request references. */
export interface ReferencedContext {
  /** Response that the request continues; absent: none, or not stored by the gateway. */
  readonly previous?: Pick<StoredResponse, 'input' | 'response'> | undefined;
  readonly items: ReadonlyMap<string, JsonObject>;
}

export interface InputQuery {
  readonly after?: string | undefined;
  readonly limit?: string | undefined;
  readonly order?: string | undefined;
}

/** Reasoning settings of a request, for upstreams whose limit does not include reasoning. */
export interface ReasoningSettings {
  /** Undefined when not set. */
  readonly isOn: boolean | undefined;
  /** Reasoning budget in tokens; undefined when not set. */
  readonly budget?: number | undefined;
}

/** Request fields with text that a model reads. */
export interface PromptFields {
  /** The required field. */
  readonly input: string;
  /** True if the field must be an array. */
  readonly isList?: boolean;
  /** Names of a message's role and author fields. */
  readonly role: string;
  readonly name: string;
  /** Name of a part's text field. */
  readonly text: string;
  /** Other fields that a model reads, such as tools and schemas. */
  readonly otherFields: readonly string[];
  /** Names of fields with nested parts. */
  readonly nested: readonly string[];
  /** Names of other fields that a model reads, such as call arguments, as text or JSON. */
  readonly textFields: readonly string[];
  /**
   * Text of a list of calls as the model sees it, without ids. Undefined: the value is not a list of calls and is read
   * unchanged.
   */
  toolCallTexts?(value: unknown): readonly string[] | undefined;
  /** True if a message references audio of an earlier response, which only the upstream has. */
  referencesAudio?(message: JsonObject): boolean;
  /** Non-text content of a part; undefined if the part counts as text. */
  toAttachment(part: JsonObject): Attachment | undefined;
}

/** Non-text content of a prompt. */
export type Attachment =
  | {
      readonly kind: 'image' | 'sound' /** Base64 length in the request; 0 for a reference. */;
      readonly characters: number;
    }
  /** A file in the request whose size does not determine its tokens: pages, videos, compressed audio. */
  | { readonly kind: 'unmeasured'; readonly characters: number }
  /** A file or video stored outside of the request, of unknown length. */
  | { readonly kind: 'elsewhere' }
  /** An item of an earlier response; its size is known if the response is known. */
  | { readonly kind: 'named' };

/** Envelope of a response. */
export interface ResponseEnvelope {
  /** Unique id; dialects add a prefix. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** The requested model. */
  readonly model: string;
  readonly wantsUsage: boolean;
  /** The request, for dialects that repeat it. */
  readonly body: JsonObject;
  /** Stream format from the URL. */
  readonly framing?: StreamFraming | undefined;
  /** Set when the gateway stores the response. */
  readonly storing?: StorageSettings | undefined;
}

/** Set when the gateway stores the response, unless its upstream does. */
export interface StorageSettings {
  /** Id of the response that the request continues; undefined if there is none. */
  readonly previous: string | undefined;
}

/** State of one response stream. */
export interface StreamWriter {
  /** Absent: `text/event-stream`. */
  readonly contentType?: string;
  /** Writes a delta; empty while more deltas are needed. */
  write(delta: ChatDelta): string;
  /** End of the stream, sent after the response was charged. */
  end(usage: Usage | undefined): string;
  /** The whole response as JSON, after the end of the stream; absent: the dialect has no storage. */
  readonly whole?: string | undefined;
  /** Writes an error event that depends on earlier events; absent: `writeErrorEvent` of the dialect is used. */
  fail?(failure: Failure): string;
}

export interface Failure {
  readonly status: number;
  readonly message: string;
  readonly type: string;
  readonly code: string | null;
  readonly param: string | null;
  readonly requestId: string;
}

export interface ErrorResponse {
  readonly status: number;
  readonly body: JsonObject;
}
