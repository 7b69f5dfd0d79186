import type { InlineData } from '../data-url.ts';
import type { JsonObject } from '../json-fields.ts';
import type { CacheControlled, ChatMessage, ContentPart } from './chat-message.ts';

/**
 * A chat request in a neutral format: every dialect is read into it, and every provider's request is written from it.
 */
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
  /** From `none` through `low` and `high` to the model's own maximum level. */
  readonly reasoningEffort: string | undefined;
  /** Reasoning budget in tokens, if the client sets one. */
  readonly reasoningBudget: number | undefined;
  readonly user: string | undefined;
  readonly isStream: boolean;
  /** Number of choices requested. */
  readonly choices: number;
  readonly extras: ChatExtras;
}

export interface Tool extends CacheControlled {
  readonly name: string;
  readonly description: string | undefined;
  /** JSON schema; an empty object schema if the client gave none. */
  readonly parameters: JsonObject;
  /** True if arguments must match the schema exactly. */
  readonly isStrict?: boolean;
}

export type ResponseFormat =
  | { readonly type: 'json_object' }
  | { readonly type: 'json_schema'; readonly name: string; readonly schema: JsonObject; readonly isStrict?: boolean };

/** Fields that few providers support. Absent: not requested. */
export interface ChatExtras {
  /** Thinking settings of Claude and Zhipu. */
  readonly thinking?: JsonObject;
  /** Claude's own effort level, if the client sent one. */
  readonly effort?: string;
  /** True if reasoning is optional, so that a model without reasoning may serve the request. */
  readonly isReasoningOptional?: boolean;
  /** True if a suffix of the model name sets the reasoning; models without reasoning then reject the request. */
  readonly hasReasoningSuffix?: boolean;
  /** Claude's cache marker for the whole request. */
  readonly cacheControl?: JsonObject;
  /** Fields that only Alibaba supports, unchanged. */
  readonly dashscope?: JsonObject;
  /** Fields that only OpenAI supports, unchanged, for its own models. */
  readonly openai?: JsonObject;
  readonly minP?: number;
  readonly logitBias?: JsonObject;
  readonly wantsLogprobs?: boolean;
  /** Output types other than plain text. */
  readonly modalities?: readonly string[];
  readonly prediction?: JsonObject;
  readonly webSearch?: JsonObject;
  /** Types of tools that the provider runs. */
  readonly serverTools?: readonly string[];
  /** True if the client displays reasoning and requests it. */
  readonly includesThoughts?: boolean;
  /** Fields that only Google supports, unchanged. */
  readonly google?: GoogleExtras;
  /** True if the request uses OpenAI's older `functions` field. */
  readonly hasFunctions?: boolean;
  readonly hasContextSize?: boolean;
  readonly hasKeepAlive?: boolean;
}

export interface GoogleExtras {
  /** Content filter thresholds by category. */
  readonly safetySettings?: readonly JsonObject[];
  /** Settings for media input and output. */
  readonly generationConfig?: JsonObject;
}

/** Request features beyond text and an output limit, named as in OpenAI's API; images and audio by part type. */
export type ChatField = ChatHint | ChatRequirement;

/**
 * Sampling and routing preferences: a response that ignores them is still valid. Includes parallel tool calls, which
 * agents often disable but can handle; two fields about storage at the upstream, which its owner decides; and provider
 * tools offered next to other tools.
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

/** Requirements on content or format of the response. */
export type ChatRequirement = (typeof chatRequirements)[number];

export const chatRequirements = [
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

/** Hints in a request; default values do not count. */
export function usedHints(request: ChatRequest): readonly ChatHint[] {
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

/** Requirements in a request; default values do not count. */
export function usedRequirements(request: ChatRequest): readonly ChatRequirement[] {
  const { extras } = request;
  const parts = request.messages.flatMap((message) =>
    message.role === 'user' || message.role === 'tool' ? message.parts : [],
  );
  const isRequested: Readonly<Record<ChatRequirement, boolean>> = {
    tools: request.tools.length > 0 || request.messages.some(isAboutTools),
    tool_choice: request.tools.length > 0 && request.toolChoice !== undefined && request.toolChoice !== 'auto',
    response_format: request.responseFormat !== undefined,
    reasoning_effort: enablesReasoning(request) && extras.isReasoningOptional !== true,
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
  return chatRequirements.filter((demand) => isRequested[demand]);
}

/** True if reasoning is enabled. */
export const enablesReasoning = ({ reasoningEffort }: ChatRequest): boolean =>
  reasoningEffort !== undefined && reasoningEffort !== 'none';

const hasServerTools = ({ extras }: ChatRequest) => (extras.serverTools ?? []).length > 0;

/** True if the request depends on provider tools. They are optional next to client tools, and required when alone. */
const needsServerTools = (request: ChatRequest) => hasServerTools(request) && !hasOtherTools(request);

const hasOtherTools = ({ tools, toolChoice }: ChatRequest) =>
  typeof toolChoice === 'object' ? tools.some(({ name }) => name === toolChoice.name) : tools.length > 0;

const isAboutTools = (message: ChatMessage) =>
  message.role === 'tool' || (message.role === 'assistant' && message.toolCalls.length > 0);

/** Image URLs in a request; repeated references are listed each time. */
export const collectImageUrls = ({ messages }: ChatRequest): readonly string[] =>
  messages.flatMap((message) => partsOf(message).flatMap((part) => urlOf(part) ?? []));

/** Returns the request with these images, keyed by URL, embedded. */
export function withInlineImages(request: ChatRequest, images: ReadonlyMap<string, InlineData>): ChatRequest {
  const inline = (part: ContentPart): ContentPart => {
    const image = images.get(urlOf(part) ?? '');
    return image && part.type === 'image' ? { ...part, image } : part;
  };
  const messages = request.messages.map((message) =>
    mayShow(message) ? { ...message, parts: message.parts.map(inline) } : message,
  );
  return { ...request, messages };
}

const partsOf = (message: ChatMessage) => (mayShow(message) ? message.parts : []);

/** Includes images in tool results. */
const mayShow = (message: ChatMessage) => message.role === 'user' || message.role === 'tool';

const urlOf = (part: ContentPart): string | undefined =>
  part.type === 'image' && 'url' in part.image ? part.image.url : undefined;
