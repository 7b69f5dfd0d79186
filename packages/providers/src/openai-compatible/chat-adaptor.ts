import {
  type AssistantMessage,
  type CacheControlled,
  type ChatField,
  type ChatMessage,
  type ChatRequest,
  type ContentPart,
  chatHints,
  chatRequirements,
  joinReasoning,
  type ReasoningBlock,
  type ReasoningVendor,
  reasoningDetail,
  type Tool,
  type ToolCall,
} from '@headgate/dialects';
import { jsonBody } from '../json-body.ts';
import type { ChatAdaptor, ExtraFeatures, JsonObject, PassThrough, Upstream } from '../provider.ts';
import { decodeChatResponse, OpenaiChatStream } from './chat-response.ts';
import { chatReasoning } from './reasoning-fields.ts';
import { closestEffort } from './vendor-fields.ts';

/** Adaptor for any kind of chat upstream, for requests of any dialect. */
export const toChatAdaptor = (wire: PassThrough | ChatAdaptor): ChatAdaptor =>
  wire.kind === 'pass' ? openaiAdaptor(wire) : wire;

const adaptors = new WeakMap<PassThrough, ChatAdaptor>();

/** Adaptor for an upstream's variant of OpenAI's chat. Cached per upstream. */
export function openaiAdaptor(pass: PassThrough): ChatAdaptor {
  const known = adaptors.get(pass);
  if (known) return known;
  const adaptor = newAdaptor(pass);
  adaptors.set(pass, adaptor);
  return adaptor;
}

/**
 * Fields about which the neutral request only records that they are present, or which the neutral response cannot
 * represent.
 */
const unrepresentedFields: ReadonlySet<ChatField> = new Set([
  'num_ctx',
  'keep_alive',
  'functions',
  'logprobs',
  'server_tools',
]);

function takenBy({ extraFeatures }: PassThrough): readonly ChatField[] {
  const isTaken = (field: ChatField) =>
    field === 'top_k' || field === 'min_p'
      ? extraFeatures?.hints?.includes(field) === true
      : !unrepresentedFields.has(field);
  return [...chatHints, ...chatRequirements].filter(isTaken);
}

function newAdaptor(pass: PassThrough): ChatAdaptor {
  const { ranges, lacks, drops, readProblem, extraFeatures } = pass;
  return {
    kind: 'convert',
    takes: takenBy(pass),
    ...(ranges && { ranges }),
    ...(lacks && { lacks }),
    reasoningFields: (request, model) => ({ reasoning_effort: closestEffort(request, model, extraFeatures?.efforts) }),
    ...(drops && { drops: (request, upstream) => drops(hintFields(request), upstream) }),
    encode(request, upstream) {
      const { url, headers } = pass.send(upstream);
      return {
        method: 'POST',
        url,
        headers: {
          'content-type': 'application/json',
          accept: upstream.isStream ? 'text/event-stream' : 'application/json',
          ...headers,
        },
        body: jsonBody(encodeChatBody(request, upstream, pass), upstream),
      };
    },
    decode: (body) => decodeChatResponse(body, pass.hiddenError),
    stream: { framing: 'sse', open: () => new OpenaiChatStream(pass.hiddenError) },
    ...(readProblem && { readProblem: (status, body) => readProblem(status, body) }),
  };
}

/** Body for this upstream. Undefined fields are omitted in JSON. */
function encodeChatBody(request: ChatRequest, upstream: Upstream, pass: PassThrough): JsonObject {
  const body: Record<string, unknown> = { ...plainBody(request, upstream, pass) };
  for (const name of pass.drops?.(body, upstream) ?? []) body[name] = undefined;
  return pass.patch ? { ...body, ...pass.patch(body, upstream) } : body;
}

function plainBody(request: ChatRequest, { model, isStream }: Upstream, pass: PassThrough): JsonObject {
  const { extraFeatures = {} } = pass;
  const words: MessageFeatures = { model, ...extraFeatures };
  return {
    model,
    messages: request.messages.map((message) => encodeMessage(message, words)),
    max_tokens: request.maxTokens,
    ...hintFields(request),
    top_k: extraFeatures.hints?.includes('top_k') ? request.topK : undefined,
    min_p: extraFeatures.hints?.includes('min_p') ? request.extras.minP : undefined,
    seed: request.seed,
    n: request.choices === 1 ? undefined : request.choices,
    response_format: encodeFormat(request.responseFormat),
    reasoning_effort: closestEffort(request, model, extraFeatures.efforts),
    ...(request.tools.length > 0 && encodeTools(request, words)),
    ...encodeExtras(request, model),
    ...encodeSuffix(request, model, extraFeatures),
    ...(isStream && { stream: true }),
    ...(isStream && !pass.rejectsStreamOptions && { stream_options: { include_usage: true } }),
  };
}

/** Reasoning set by a suffix of the model name, in the vendor's own field. */
const encodeSuffix = (
  { reasoningEffort, reasoningBudget, extras }: ChatRequest,
  model: string,
  features: ExtraFeatures,
) =>
  extras.hasReasoningSuffix && reasoningEffort !== undefined
    ? chatReasoning(
        { effort: reasoningEffort, ...(reasoningBudget !== undefined && { budget: reasoningBudget }) },
        { reasoning_effort: '' },
        model,
        features,
      )
    : {};

/** Hints, which some of an upstream's models reject. */
const hintFields = (request: ChatRequest): JsonObject => ({
  temperature: request.temperature,
  top_p: request.topP,
  frequency_penalty: request.frequencyPenalty,
  presence_penalty: request.presencePenalty,
  logit_bias: request.extras.logitBias,
  stop: request.stop.length > 0 ? request.stop : undefined,
  user: request.user,
});

const encodeExtras = ({ extras }: ChatRequest, model: string): JsonObject => ({
  ...(modelMakerOf(model) === 'openai' && extras.openai),
  modalities: extras.modalities,
  prediction: extras.prediction,
  web_search_options: extras.webSearch,
});

/** Tools and tool settings; the settings are omitted without tools, because upstreams reject them then. */
function encodeTools({ tools, toolChoice, parallelToolCalls }: ChatRequest, words: MessageFeatures): JsonObject {
  const isNamed = typeof toolChoice === 'object';
  return {
    tools: tools.map((tool) => encodeTool(tool, words)),
    tool_choice: isNamed ? { type: 'function', function: { name: toolChoice.name } } : toolChoice,
    parallel_tool_calls: parallelToolCalls,
  };
}

const encodeTool = (
  { name, description, parameters, isStrict, cacheControl }: Tool,
  { takesCacheMarks }: MessageFeatures,
): JsonObject => ({
  type: 'function',
  function: { name, description, parameters, ...(isStrict && { strict: true }) },
  ...(takesCacheMarks && cacheControl && { cache_control: cacheControl }),
});

function encodeFormat(format: ChatRequest['responseFormat']): JsonObject | undefined {
  if (format?.type !== 'json_schema') return format;
  const { type, name, schema, isStrict } = format;
  return { type, json_schema: { name, schema, ...(isStrict && { strict: true }) } };
}

/** Message features that this upstream and its model support. */
interface MessageFeatures extends ExtraFeatures {
  readonly model: string;
}

function encodeMessage(message: ChatMessage, words: MessageFeatures): JsonObject {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: encodeContent(message, words) };
    case 'user':
      return { role: 'user', content: encodeContent(message, words) };
    case 'assistant':
      return encodeAssistant(message, words);
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: encodeContent(message, words) };
  }
}

function encodeAssistant(message: AssistantMessage, words: MessageFeatures): JsonObject {
  const { parts, thoughts, toolCalls } = message;
  return {
    role: 'assistant',
    content: parts.length === 0 && toolCalls.length > 0 ? null : encodeContent(message, words),
    ...(toolCalls.length > 0 && {
      ...encodeThoughts(thoughts, words),
      tool_calls: toolCalls.map((call) => encodeCall(call, words)),
    }),
  };
}

interface Content extends CacheControlled {
  readonly parts: readonly ContentPart[];
}

/** Content with only text becomes one string, because not every vendor accepts a list. */
function encodeContent({ parts, cacheControl }: Content, { takesCacheMarks }: MessageFeatures): string | JsonObject[] {
  const isMarked = takesCacheMarks === true && (cacheControl ?? parts.some((part) => part.cacheControl));
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (!isMarked && texts.length === parts.length) return joined(texts);
  return parts.map((part, index) => {
    const mark = part.cacheControl ?? (index === parts.length - 1 ? cacheControl : undefined);
    return { ...encodePart(part), ...(takesCacheMarks && mark && { cache_control: mark }) };
  });
}

/**
 * Joins texts with a separator. Joined in one step, because V8 takes quadratic time when a growing string is read in
 * between.
 */
function joined(all: readonly string[]): string {
  const texts = all.filter((text) => text !== '');
  return texts.map((text, index) => (touches(texts[index - 1], text) ? `\n\n${text}` : text)).join('');
}

const touches = (text = '', next: string): boolean => /\S$/.test(text.slice(-1)) && /^\S/.test(next);

function encodePart(part: ContentPart): JsonObject {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'image': {
      const { image } = part;
      const url = 'url' in image ? image.url : `data:${image.mediaType};base64,${image.data}`;
      return { type: 'image_url', image_url: { url } };
    }
    case 'audio':
      return { type: 'input_audio', input_audio: { data: part.data, format: part.format } };
    case 'file': {
      const file_data = part.data.startsWith('data:') ? part.data : `data:application/pdf;base64,${part.data}`;
      return { type: 'file', file: { filename: part.name || 'document.pdf', file_data } };
    }
  }
}

const encodeCall = (
  { id, name, arguments: json, thoughtSignature }: ToolCall,
  { model }: MessageFeatures,
): JsonObject => ({
  id,
  type: 'function',
  function: { name, arguments: json },
  ...(thoughtSignature !== undefined &&
    modelMakerOf(model) === 'google' && { extra_content: { google: { thought_signature: thoughtSignature } } }),
});

/** Placeholder for reasoning that the client lost: vendors that require reasoning reject a call without it. */
const lostThoughts = ' ';

function encodeThoughts(thoughts: readonly ReasoningBlock[], { thoughtsField, model }: MessageFeatures): JsonObject {
  if (thoughtsField === 'reasoning_content') return { reasoning_content: joinReasoning(thoughts) || lostThoughts };
  if (thoughtsField === undefined) return {};
  const own = thoughts.filter((thought) => isOwn(thought, modelMakerOf(model)));
  return own.length === 0 ? {} : { reasoning_details: own.map(reasoningDetail) };
}

/**
 * True if the reasoning may be sent to a model: some vendors accept only reasoning that they signed; others accept
 * text.
 */
const isOwn = ({ maker, signature, sealed }: ReasoningBlock, own: ReasoningVendor | undefined) =>
  own === undefined ? sealed === undefined : maker === own && (signature ?? sealed) !== undefined;

/** Vendor of a model, by its name. */
function modelMakerOf(model: string): ReasoningVendor | undefined {
  if (/claude/i.test(model)) return 'anthropic';
  if (/gemini/i.test(model)) return 'google';
  return /(?:^|\/)(?:o\d|gpt-\d)/i.test(model) ? 'openai' : undefined;
}
