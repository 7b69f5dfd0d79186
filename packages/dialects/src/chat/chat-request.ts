import type { JsonObject } from '../json-fields.ts';
import type { ChatMessage } from './chat-message.ts';
import type { CacheMarked } from './content-part.ts';

/** A chat request in no dialect's words: every dialect reads its own spelling into it, every provider writes from it. */
export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly Tool[];
  readonly toolChoice: 'auto' | 'none' | 'required' | { readonly name: string } | undefined;
  readonly parallelToolCalls: boolean | undefined;
  readonly maxTokens: number | undefined;
  readonly temperature: number | undefined;
  readonly topP: number | undefined;
  readonly topK: number | undefined;
  readonly frequencyPenalty: number | undefined;
  readonly presencePenalty: number | undefined;
  readonly seed: number | undefined;
  readonly stop: readonly string[];
  readonly responseFormat: ResponseFormat | undefined;
  /** From `none` over `low` and `high` to what a model calls its most. */
  readonly reasoningEffort: string | undefined;
  /** Tokens to think with, where the client counts them. */
  readonly reasoningBudget: number | undefined;
  readonly user: string | undefined;
  readonly isStream: boolean;
  /** How many answers are wanted. */
  readonly choices: number;
  readonly extras: ChatExtras;
}

export interface Tool extends CacheMarked {
  readonly name: string;
  readonly description: string | undefined;
  /** JSON schema; an object without properties when the client gave none. */
  readonly parameters: JsonObject;
  /** The arguments must fit the schema to the letter. */
  readonly isStrict?: boolean;
}

export type ResponseFormat =
  | { readonly type: 'json_object' }
  | { readonly type: 'json_schema'; readonly name: string; readonly schema: JsonObject; readonly isStrict?: boolean };

/** What few providers know, each under its own name. Absent: not asked for. */
export interface ChatExtras {
  /** Claude's and Zhipu's own setting of how to think. */
  readonly thinking?: JsonObject;
  /** Claude's own word for how hard to work, where the client said it so. */
  readonly effort?: string;
  /** To think is allowed rather than asked for: a model that cannot may answer without. */
  readonly isReasoningOptional?: boolean;
  /** Claude's mark for the whole request. */
  readonly cacheControl?: JsonObject;
  /** Words of Alibaba's alone, as they came. */
  readonly dashscope?: JsonObject;
  /** Words of OpenAI's alone, as they came, for its own models. */
  readonly openai?: JsonObject;
  readonly minP?: number;
  readonly logitBias?: JsonObject;
  readonly wantsLogprobs?: boolean;
  /** What the answer is made of, when that is not text alone. */
  readonly modalities?: readonly string[];
  readonly prediction?: JsonObject;
  readonly webSearch?: JsonObject;
  /** Tools that the provider runs itself, by their kinds. */
  readonly serverTools?: readonly string[];
  /** The client shows what the model thinks, and asks to be told. */
  readonly wantsThoughts?: boolean;
  /** Words of Google's alone, as they came. */
  readonly google?: GoogleExtras;
  /** OpenAI's older form of tools. */
  readonly hasFunctions?: boolean;
  readonly hasContextSize?: boolean;
  readonly hasKeepAlive?: boolean;
}

export interface GoogleExtras {
  /** What is too harmful to be said, by kinds of harm. */
  readonly safetySettings?: readonly JsonObject[];
  /** Settings of how media are read and made. */
  readonly generationConfig?: JsonObject;
}

/** What a request may ask for beyond text and a limit, under OpenAI's names; pictures and sounds by their parts. */
export type ChatField = ChatHint | ChatDemand;

/**
 * How to choose the words, and for whom: an answer without them is still an answer to the question. One call at a time is
 * among them: agents ask for it by habit, and whoever gets two can answer both. Two are about an upstream's memory, which is
 * its owner's; the last are tools of the provider's own that are offered beside others.
 */
export type ChatHint = (typeof chatHints)[number];

export const chatHints = [
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'stop',
  'seed',
  'frequency_penalty',
  'presence_penalty',
  'logit_bias',
  'user',
  'parallel_tool_calls',
  'num_ctx',
  'keep_alive',
  'server_tools',
] as const;

/** What is asked for, or in which form the answer must come. */
export type ChatDemand = (typeof chatDemands)[number];

export const chatDemands = [
  'tools',
  'tool_choice',
  'response_format',
  'reasoning_effort',
  'image_url',
  'input_audio',
  'file',
  'n',
  'logprobs',
  'modalities',
  'prediction',
  'web_search_options',
  'functions',
  'server_tools',
] as const;

/** The hints a request gives; one at its default hints at nothing. */
export function hintsIn(request: ChatRequest): readonly ChatHint[] {
  const { extras } = request;
  const isGiven: Readonly<Record<ChatHint, boolean>> = {
    temperature: request.temperature !== undefined,
    top_p: request.topP !== undefined && request.topP !== 1,
    top_k: request.topK !== undefined,
    min_p: extras.minP !== undefined,
    stop: request.stop.length > 0,
    seed: request.seed !== undefined,
    frequency_penalty: Boolean(request.frequencyPenalty),
    presence_penalty: Boolean(request.presencePenalty),
    logit_bias: Object.keys(extras.logitBias ?? {}).length > 0,
    user: request.user !== undefined,
    parallel_tool_calls: request.tools.length > 0 && request.parallelToolCalls === false,
    num_ctx: extras.hasContextSize === true,
    keep_alive: extras.hasKeepAlive === true,
    server_tools: hasServerTools(request) && !needsServerTools(request),
  };
  return chatHints.filter((hint) => isGiven[hint]);
}

/** What a request demands; a demand for the usual is none. */
export function demandsIn(request: ChatRequest): readonly ChatDemand[] {
  const { extras } = request;
  const parts = request.messages.flatMap((message) =>
    message.role === 'user' || message.role === 'tool' ? message.parts : [],
  );
  const isAsked: Readonly<Record<ChatDemand, boolean>> = {
    tools: request.tools.length > 0 || request.messages.some(isAboutTools),
    tool_choice: request.tools.length > 0 && request.toolChoice !== undefined && request.toolChoice !== 'auto',
    response_format: request.responseFormat !== undefined,
    reasoning_effort: asksToReason(request) && extras.isReasoningOptional !== true,
    image_url: parts.some(({ type }) => type === 'image'),
    input_audio: parts.some(({ type }) => type === 'audio'),
    file: parts.some(({ type }) => type === 'file'),
    n: request.choices !== 1,
    logprobs: extras.wantsLogprobs === true,
    modalities: extras.modalities?.some((name) => name !== 'text') === true,
    prediction: extras.prediction !== undefined,
    web_search_options: extras.webSearch !== undefined,
    functions: extras.hasFunctions === true,
    server_tools: needsServerTools(request),
  };
  return chatDemands.filter((demand) => isAsked[demand]);
}

/** Whether the model is to think at all. */
export const asksToReason = ({ reasoningEffort }: ChatRequest): boolean =>
  reasoningEffort !== undefined && reasoningEffort !== 'none';

const hasServerTools = ({ extras }: ChatRequest) => (extras.serverTools ?? []).length > 0;

/** Beside tools of the client's own they are an offer, which a model may do without; alone they are what is asked for. */
const needsServerTools = (request: ChatRequest) => hasServerTools(request) && !hasChoiceBesides(request);

const hasChoiceBesides = ({ tools, toolChoice }: ChatRequest) =>
  typeof toolChoice === 'object' ? tools.some(({ name }) => name === toolChoice.name) : tools.length > 0;

const isAboutTools = (message: ChatMessage) =>
  message.role === 'tool' || (message.role === 'assistant' && message.toolCalls.length > 0);
