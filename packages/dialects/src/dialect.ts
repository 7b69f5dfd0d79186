import type { AnswerScan } from './answer-scan.ts';
import type { ChatAnswer, ChatDelta, Usage } from './chat/chat-answer.ts';
import type { ChatRequest } from './chat/chat-request.ts';
import type { JsonObject } from './json-fields.ts';
import type { KeptFile } from './kept-files.ts';
import type { LimitHeaders, LimitStanding } from './limit-headers.ts';

/**
 * One of the languages in which clients speak to chat models: how its requests are read and its answers written.
 * Pure: no network, no clock, no storage.
 */
export interface Dialect {
  /** The name that logs have for it. */
  readonly name: string;
  /** Where its clients look for the number of their request, when not under `x-request-id`. */
  readonly requestIdHeader?: string;
  /** Names under which its clients look for what is left of their limits, at a time in milliseconds since 1970; absent: OpenAI's. */
  limitHeaders?(standing: LimitStanding, now: number): LimitHeaders;
  /** Where its conversations are asked for. */
  readonly path: string;
  /** The body as the rest of the dialect reads it, where clients write it in other forms; absent: they do not. */
  normalize?(body: JsonObject): JsonObject;
  /** What the relay judges and prices before anything is translated. Throws RequestProblem that names what is wrong. */
  readOutline(body: JsonObject, address: RequestAddress): RequestOutline;
  /** The whole request; throws RequestProblem that names what is wrong. */
  readRequest(body: JsonObject, address: RequestAddress): ChatRequest;
  /** Tools that the provider would run itself, at a price nobody here knows, by their kinds; absent: as OpenAI's chat names them. */
  serverToolsIn?(body: JsonObject): readonly string[];
  /** Fields to set so that it has none of them; undefined when one is demanded. */
  withoutServerTools?(body: JsonObject): JsonObject | undefined;
  /** The first file or the like that an upstream keeps in the operator's account, and that is not allowed; absent: it has no words for that. */
  keptFileIn?(body: JsonObject, allowed: readonly string[]): KeptFile | undefined;
  /** The conversation that a request says it is part of; undefined: it does not say. Absent: it has no word for that. */
  conversationIn?(body: JsonObject): string | undefined;
  /** Items of earlier answers that an upstream is asked to look for in what it keeps; absent: it has no words for that. */
  itemsNamedIn?(body: JsonObject): readonly NamedItem[];
  /** Fields to set so that none of these is looked for: what can be done without has no id. */
  withoutItems?(body: JsonObject, ids: ReadonlySet<string>): JsonObject;
  /** How the gateway itself stores answers of this dialect; absent: clients cannot refer to earlier answers. */
  readonly storage?: AnswerStorage;
  /** Fields to set so that the conversation has this system prompt in place of its own; undefined takes one away. */
  withSystemPrompt(body: JsonObject, systemPrompt: string): JsonObject;
  /** Fields to set so that a stream tells its usage; absent: every stream does. */
  askForUsage?(body: JsonObject): JsonObject;
  /** Fields to set for an upstream that refuses to be asked for usage; undefined takes one away. */
  withoutUsageQuestion?(body: JsonObject): JsonObject;
  /** The field that limits an answer, as clients are told. */
  readonly limitField: string;
  /** Where the prompt stands, for counting. */
  readonly prompt: PromptFields;
  /** How its answers are watched as they pass; absent: an upstream of its own reads them, see the provider's `watch`. */
  readonly scan?: AnswerScan;
  /** The answer to a request that only has a model made ready, which no upstream is asked for; undefined: it asks for more. */
  readinessReply?(reply: Reply): string | undefined;
  /** A whole answer as JSON. */
  writeAnswer(answer: ChatAnswer, reply: Reply): string;
  /** An answer in pieces. */
  openStream(reply: Reply): AnswerWriter;
  /** A failure before the first byte of an answer. */
  writeError(failure: Failure): ErrorReply;
  /** A failure after it: the last that the client hears. */
  writeErrorEvent(failure: Failure): string;
}

/** What the address of a call says beside its body. */
export interface RequestAddress {
  /** The model it names; undefined when the body names it. */
  readonly model?: string | undefined;
  /** Whether it is the address of a stream, or of what never is one; undefined when the body says so. */
  readonly isStream?: boolean | undefined;
  /** What the client's own dialect adds to it, without any key; undefined: nothing. */
  readonly query?: string | undefined;
  /** How the stream is cut, where that can be chosen; undefined: as events. */
  readonly framing?: StreamFraming | undefined;
}

/** Events, or the items of one JSON list, as Gemini streams when nobody asks for events. */
export type StreamFraming = 'sse' | 'json-list';

export interface RequestOutline {
  /** Empty when the client names none. */
  readonly model: string;
  readonly isStream: boolean;
  /** The client itself asked for usage at the end of the stream, or its dialect always tells it. */
  readonly wantsUsage: boolean;
  /** How many tokens the answer may have at most, thoughts included; undefined: the request does not say. */
  readonly completionLimit: number | undefined;
  /** How many answers are wanted. */
  readonly answerCount: number;
  /** How many answers are made to each prompt, and paid for, those that are thrown away included. */
  readonly tries: number;
  /** The upstream may add to the prompt by itself: what it searches for, or a conversation it keeps. */
  readonly mayGrowPrompt: boolean;
  /** Tools are offered to the model, which some providers put words of their own before. */
  readonly hasTools: boolean;
  /** The prompt, or what the client foresees of the answer, is paid once more as an answer. */
  readonly repeatsPrompt: boolean;
  /** The upstream first sums up what came before: it reads the prompt once more, and says a summary beside the answer. */
  readonly summarizesFirst: boolean;
  readonly thinking: ThinkingWish;
  /** The earlier answer that it goes on from, which only the upstream has; undefined: all of it is here. */
  readonly goesOnFrom?: EarlierAnswer | undefined;
  /** The upstream may leave out the beginning of a prompt that is too long for the model; what it keeps is whole. */
  readonly mayDropPrompt?: boolean;
  /** The upstream may keep the answer, to be gone on from. */
  readonly keepsAnswer?: boolean;
}

/** An answer that is named, not brought along. */
export interface EarlierAnswer {
  readonly id: string;
  /** The field that names it. */
  readonly field: string;
  /** What a client is told of one that nobody has for it. */
  readonly missing: { readonly message: string; readonly code: string };
}

/** An item of an earlier answer that is named, not brought along. */
export interface NamedItem {
  readonly id: string;
  /** Whether the request makes no sense without; a thought can be done without. */
  readonly isNeeded: boolean;
}

/** Answers that the gateway stores itself, for upstreams that do not. */
export interface AnswerStorage {
  /** The entry for a finished answer; undefined when it has no id. */
  entryOf(body: JsonObject, answer: JsonObject): StoredAnswer | undefined;
  /** The body with the stored answer that it continues, and the stored items that it refers to, written out. */
  withStored(body: JsonObject, stored: StoredContext): JsonObject;
  /** A written answer, or the last events of a stream, with the note that it is not stored. */
  unstored(text: string): string;
  /** The item of a stored answer; undefined when it has none with this id. */
  itemIn(answer: JsonObject, id: string): JsonObject | undefined;
  /** One page of the input of a stored answer. Throws RequestProblem for a bad query. */
  listInput(stored: Pick<StoredAnswer, 'id' | 'input'>, query: InputQuery): JsonObject;
}

/** A finished answer with the input that it was created from, earlier answers included. */
export interface StoredAnswer {
  readonly id: string;
  /** Ids of its items, under which later requests may refer to them. */
  readonly itemIds: readonly string[];
  readonly input: readonly unknown[];
  readonly answer: JsonObject;
}

/** Stored answers that a request refers to. */
export interface StoredContext {
  /** The answer that it continues; absent: none, or none that is stored here. */
  readonly previous?: Pick<StoredAnswer, 'input' | 'answer'> | undefined;
  readonly items: ReadonlyMap<string, JsonObject>;
}

export interface InputQuery {
  readonly after?: string | undefined;
  readonly limit?: string | undefined;
  readonly order?: string | undefined;
}

/** What a request says of thinking, for upstreams whose limit is about the answer alone. */
export interface ThinkingWish {
  /** Undefined when the request does not say. */
  readonly isOn: boolean | undefined;
  /** Tokens to think with; undefined when the request does not say. */
  readonly budget?: number | undefined;
}

/** The fields of a request that hold the texts a model reads. */
export interface PromptFields {
  /** The field without which there is nothing to do. */
  readonly input: string;
  /** That field must be a list. */
  readonly isList?: boolean;
  /** Under which names a message says in whose part it is, and by whom. */
  readonly role: string;
  readonly name: string;
  /** Under which name a part holds its text. */
  readonly text: string;
  /** Fields beside it that a model reads, such as tools and schemas. */
  readonly beside: readonly string[];
  /** Under which names a message or a part holds further parts. */
  readonly nested: readonly string[];
  /** Under which names they hold what a model reads beside, such as the arguments of a call; as text or as JSON. */
  readonly words: readonly string[];
  /** What a model reads of a list of calls, without their numbers; undefined: it is no such list, and is read as it is. */
  wordsOfCalls?(value: unknown): readonly string[] | undefined;
  /** Whether a message is sound of an earlier answer, which only the upstream has. */
  pointsAtSound?(message: JsonObject): boolean;
  /** What a part holds that is no text; undefined: it counts as text. */
  attachmentOf(part: JsonObject): Attachment | undefined;
}

/** What of a prompt is no text. */
export type Attachment =
  | {
      readonly kind: 'image' | 'sound' /** In the request itself, in base64; 0 when it is pointed at. */;
      readonly characters: number;
    }
  /** A file in the request whose bytes do not tell what a model reads of it: pages, films, packed sound. */
  | { readonly kind: 'unmeasured'; readonly characters: number }
  /** A file or film that is kept elsewhere: nobody knows how long it is. */
  | { readonly kind: 'elsewhere' }
  /** An item of an earlier answer, which is known where its owner is. */
  | { readonly kind: 'named' };

/** What an answer is told with beside itself. */
export interface Reply {
  /** An id that no other answer has; dialects put a mark of their own before it. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** What the client asked for. */
  readonly model: string;
  readonly wantsUsage: boolean;
  /** What was asked, for dialects that repeat it. */
  readonly body: JsonObject;
  /** How the stream is cut, as the address asked. */
  readonly framing?: StreamFraming | undefined;
  /** Set when the gateway stores the answer. */
  readonly storing?: Storing | undefined;
}

/** The gateway stores the answer, unless its upstream does. */
export interface Storing {
  /** Id of the answer that the request continues; undefined: none. */
  readonly previous: string | undefined;
}

/** Holds the state of one answer's stream. */
export interface AnswerWriter {
  /** Absent: `text/event-stream`. */
  readonly contentType?: string;
  /** Empty while it waits for more. */
  write(delta: ChatDelta): string;
  /** What follows when all was said; the client sees it after the answer was charged. */
  end(usage: Usage | undefined): string;
  /** The whole answer as JSON, after its end; absent: the dialect has no storage. */
  readonly whole?: string | undefined;
  /** What follows when it cannot go on, where that hangs on what was said; absent: the dialect's `writeErrorEvent`. */
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

export interface ErrorReply {
  readonly status: number;
  readonly body: JsonObject;
}
