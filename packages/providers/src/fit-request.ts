import {
  type ChatMessage,
  type ChatRequest,
  type ContentPart,
  demandsIn,
  enablesReasoning,
  hintsIn,
  JsonBoundsCounter,
  type JsonObject,
  RequestProblem,
  requestBounds,
} from '@headgate/dialects';
import { clampedFields } from './fit-body.ts';
import { instructedRequest } from './json-instruction.ts';
import { rejectedParameters } from './model-parameters.ts';
import type { ChatAdaptor } from './provider.ts';

/** A request reduced to fields that an upstream and its model accept. */
interface Fitted {
  readonly request: ChatRequest;
  /** Fields that were dropped or changed, to be reported to the client. */
  readonly ignored: readonly string[];
}

type Fitting = Pick<ChatAdaptor, 'takes' | 'ranges' | 'lacks' | 'reasoningFields' | 'acceptsImagesInResults'>;

/**
 * Drops and reports hints that the adaptor or the model does not accept. Rejects fields whose removal would change
 * the meaning, and names them.
 */
export function fitRequest(asked: ChatRequest, adaptor: Fitting, model = ''): Fitted {
  const { takes, lacks = {}, acceptsImagesInResults } = adaptor;
  const unsupported = demandsIn(asked).find((demand) => !takes.includes(demand));
  if (unsupported !== undefined)
    throw new RequestProblem(unsupported, `The channel's provider does not support ${unsupported}`);
  requireSmallArguments(asked.messages);
  const shown = acceptsImagesInResults ? asked : { ...asked, messages: withPicturesAfterResults(asked.messages) };
  // Only optional reasoning is dropped here; required reasoning is a demand.
  const isThoughtless = enablesReasoning(asked) && !takes.includes('reasoning_effort');
  const thinking = isThoughtless ? { ...shown, reasoningEffort: undefined } : shown;
  const instructed = instructedRequest(thinking, lacks, model);
  const sampled = fitSampling(instructed?.request ?? thinking, adaptor, model);
  return {
    request: sampled.request,
    ignored: [
      ...(isThoughtless ? ['reasoning_effort'] : []),
      ...(instructed ? [instructed.ignored] : []),
      ...sampled.ignored,
    ],
  };
}

function fitSampling(request: ChatRequest, { takes, ranges = {}, reasoningFields }: Fitting, model: string): Fitted {
  const hints = hintsIn(request);
  if (hints.length === 0) return { request, ignored: [] };
  const fields = { ...samplingFields(request), ...reasoningFields?.(request, model) };
  const moved = clampedFields(ranges, fields);
  const { changes, ignored } = rejectedParameters(model, { ...fields, ...moved });
  const names = hints.filter((hint) => !takes.includes(hint) || hint in moved || ignored.includes(hint));
  if (Object.keys(moved).length + Object.keys(changes).length === 0) return { request, ignored: names };
  return { request: withSampling(request, { ...fields, ...moved, ...changes }), ignored: names };
}

/**
 * Limits the arguments of all tool calls combined to the bounds of a request body, because many adaptors parse them.
 */
function requireSmallArguments(messages: readonly ChatMessage[]): void {
  const tally = new JsonBoundsCounter(requestBounds);
  for (const message of messages) {
    const calls = message.role === 'assistant' ? message.toolCalls : [];
    if (calls.every((call) => tally.add(call.arguments))) continue;
    const problem = 'The arguments of the tool calls have too many parts or are nested too deeply';
    throw new RequestProblem('messages', problem);
  }
}

/** Sampling parameters of a request under OpenAI's names. */
const samplingFields = (request: ChatRequest): JsonObject => ({
  temperature: request.temperature,
  top_p: request.topP,
  top_k: request.topK,
  frequency_penalty: request.frequencyPenalty,
  presence_penalty: request.presencePenalty,
  logit_bias: request.extras.logitBias,
  stop: request.stop.length > 0 ? request.stop : undefined,
});

function withSampling(request: ChatRequest, fields: JsonObject): ChatRequest {
  const { logitBias, ...extras } = request.extras;
  return {
    ...request,
    temperature: fields['temperature'] as number | undefined,
    topP: fields['top_p'] as number | undefined,
    topK: fields['top_k'] as number | undefined,
    frequencyPenalty: fields['frequency_penalty'] as number | undefined,
    presencePenalty: fields['presence_penalty'] as number | undefined,
    stop: (fields['stop'] as readonly string[] | undefined) ?? [],
    extras: { ...extras, ...(fields['logit_bias'] !== undefined && logitBias && { logitBias }) },
  };
}

/** Moves images of tool results to a user message after them, because most upstreams accept only text as a result. */
function withPicturesAfterResults(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  if (!messages.some(showsMore)) return messages;
  const fitted: ChatMessage[] = [];
  let shown: ContentPart[] = [];
  for (const message of messages) {
    if (message.role !== 'tool') {
      if (shown.length > 0) fitted.push({ role: 'user', parts: shown });
      shown = [];
      fitted.push(message);
      continue;
    }
    shown.push(...message.parts.filter(({ type }) => type !== 'text'));
    fitted.push({ ...message, parts: message.parts.filter(({ type }) => type === 'text') });
  }
  if (shown.length > 0) fitted.push({ role: 'user', parts: shown });
  return fitted;
}

const showsMore = (message: ChatMessage) =>
  message.role === 'tool' && message.parts.some(({ type }) => type !== 'text');
