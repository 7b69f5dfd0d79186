import type { ChatRequest, Tool } from '@headgate/dialects';
import type { JsonObject, PassThrough, Upstream } from '../provider.ts';
import { encodeMessage, type MessageFeatures, modelMakerOf } from './chat-messages.ts';
import { effortOf } from './reasoning-effort.ts';

/** Body for this upstream. Undefined fields are omitted in JSON. */
export function encodeChatBody(request: ChatRequest, upstream: Upstream, pass: PassThrough): JsonObject {
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
    reasoning_effort: effortOf(request, model, extraFeatures.efforts),
    ...(request.tools.length > 0 && encodeTools(request, words)),
    ...encodeExtras(request, model),
    ...(isStream && { stream: true }),
    ...(isStream && !pass.rejectsStreamOptions && { stream_options: { include_usage: true } }),
  };
}

/** Hints, which some of an upstream's models reject. */
export const hintFields = (request: ChatRequest): JsonObject => ({
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
