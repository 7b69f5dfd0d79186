import { speechInstructionsField } from '@headgate/dialects';
import type { CompletionEstimates } from '../ports/ports.ts';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { RelayError } from '../ports/relay-error.ts';
import type { Caching } from '../quota/price.ts';
import { noTokens, type TokenCount } from '../quota/quota-of.ts';
import type { RelayRequest } from '../request/read-request.ts';
import { estimatePrompt } from '../tokens/estimate-tokens.ts';
import { providerFor } from '../upstream/upstream-view.ts';
import { requestAttachments } from './attachments.ts';
import type { UsageEstimate } from './estimated-usage.ts';
import { estimateImages } from './images.ts';
import { estimatePages } from './pages.ts';
import { maxReadableTokens, promptTokenBound } from './prompt-bound.ts';
import { estimateRerankUsage } from './ranking.ts';
import { estimateTranscription } from './transcription.ts';

const maxSpeechLength = 4096;

export function estimateUsage(
  request: RelayRequest,
  channels: readonly RelayChannel[],
  { typicalCompletion, longestCompletion }: CompletionEstimates,
): UsageEstimate {
  const { kind, completionLimit } = request;
  const responses = request.tries * request.prompts;
  if (kind.billedBy === 'images') return estimateImages(request);
  if (kind.billedBy === 'characters') return fixed(charactersOf(request));
  if (kind.billedBy === 'transcript') return estimateTranscription(request.model, request.upload);
  if (kind.billedBy === 'pages') return estimatePages(request);
  if (kind.billedBy === 'ranking') return estimateRerankUsage(request, channels);
  const earlier = request.earlier?.tokens ?? 0;
  const used: TokenCount = { prompt: estimatePrompt(request) + earlier, completion: 0, counted: 'estimate' };
  const attached = requestAttachments(request, channels);
  const prompt = promptTokenBound(request, channels, attached);
  // Files of unknown length and everything else fit into the model's context window.
  const unseen = attached.isUnbounded ? maxReadableTokens(channels, request.model) : 0;
  const media = { audio: attached.sounds + earlier, image: attached.measured - attached.sounds + earlier };
  if (!kind.hasTextOutput) return bounded({ prompt, completion: 0, ...mediaParts(media) }, unseen, used);
  const beside = extraCompletionTokens(request, prompt);
  if (completionLimit === undefined || bringsMore(request) || request.summarizesFirst) {
    const least = {
      prompt,
      completion: Math.max(typicalCompletion, completionLimit ?? 0) * responses + beside,
      ...mediaParts(media),
    };
    const longest = Math.max(longestCompletion, typicalCompletion, completionLimit ?? 0);
    const more = Math.max(searched(request), unseen);
    const most = {
      prompt: prompt + more,
      completion: longest * responses + beside,
      ...mediaParts(media, more),
    };
    return { most, least, used, attachedTokens: attached.dearest };
  }
  const completion = (completionLimit + extraReasoningTokens(request, channels)) * responses + beside;
  return { ...bounded({ prompt, completion, ...mediaParts(media) }, unseen, used), attachedTokens: attached.dearest };
}

/** Estimates a request with these tokens plus tokens of unknown content. */
function bounded(tokens: TokenCount, unseen: number, used: TokenCount): UsageEstimate {
  if (unseen === 0) return { most: tokens, least: undefined, used };
  const { audio = 0, image = 0 } = tokens.parts ?? {};
  const media = mediaParts({ audio, image }, unseen);
  return { most: { ...tokens, prompt: tokens.prompt + unseen, ...media }, least: tokens, used };
}

/** Audio and image tokens of a prompt, which have separate prices. Content of unknown kind may be either. */
const mediaParts = ({ audio, image }: { audio: number; image: number }, unknown = 0): Pick<TokenCount, 'parts'> =>
  audio + image + unknown > 0
    ? { parts: { cached: 0, written: 0, writtenLong: 0, reasoning: 0, audio: audio + unknown, image: image + unknown } }
    : {};

/** True if the request limits everything that is charged; a summary has no limit. */
export const hasOutputLimit = ({ completionLimit, summarizesFirst }: RelayRequest): boolean =>
  completionLimit !== undefined && !summarizesFirst;

function fixed(units: number): UsageEstimate {
  const used = { ...noTokens, units };
  return { most: used, least: undefined, used };
}

/** Additional tokens that are charged as completion. */
const extraCompletionTokens = ({ repeatsPrompt, tries }: RelayRequest, prompt: number): number =>
  repeatsPrompt ? prompt * tries : 0;

/**
 * True if the prompt grows beyond the request, through search results or an earlier response unknown to the gateway.
 */
const bringsMore = ({ mayGrowPrompt, model, previousResponse, earlier }: RelayRequest): boolean =>
  mayGrowPrompt || model.endsWith('-internet') || (previousResponse !== undefined && !earlier);

const maxSearched = 131_072;

const searched = (request: RelayRequest): number => (bringsMore(request) ? maxSearched : 0);

const extraReasoningTokens = ({ thinking, model }: RelayRequest, channels: readonly RelayChannel[]): number =>
  channels.reduce((max, channel) => {
    const { reasoningBeyondLimit } = providerFor(channel);
    if (!reasoningBeyondLimit) return max;
    const sentAs = channel.modelMapping.get(model) || model;
    // A rule may enable reasoning.
    const ruled = channel.rules?.changesBody ? reasoningBeyondLimit({ isOn: true }, sentAs) : 0;
    return Math.max(max, ruled, reasoningBeyondLimit(thinking, sentAs));
  }, 0);

/** Characters of the spoken text and of the instructions. */
function charactersOf({ body, kind }: RelayRequest): number {
  const spoken = body[kind.input];
  if (typeof spoken !== 'string') throw rejectedFieldError(`${kind.input} must be text`);
  return charactersIn(kind.input, spoken) + charactersIn(speechInstructionsField, body[speechInstructionsField] ?? '');
}

function charactersIn(field: string, value: unknown): number {
  if (typeof value !== 'string') throw rejectedFieldError(`${field} must be text`);
  // No character has more than two UTF-16 units; far longer texts are not split.
  const count = value.length > 2 * maxSpeechLength ? value.length : [...value].length;
  if (count > maxSpeechLength)
    throw rejectedFieldError(`${field} must have at most ${maxSpeechLength} characters`, 'text_too_long');
  return count;
}

const rejectedFieldError = (message: string, code: string | null = null) =>
  new RelayError(400, message, code, 'invalid_request_error');

/**
 * True if a request may write its prompt to a cache. Every field that enables caching contains "cache", and "1h" for a
 * one-hour cache; letters may also be escaped. A prompt that only mentions caches is reserved as if it wrote to one.
 */
export function detectCaching({ bytes }: Pick<RelayRequest, 'bytes'>): Caching {
  const hasNumbered = bytes.includes('\\u00');
  if (!hasNumbered && !bytes.includes('cache')) return 'none';
  return hasNumbered || bytes.includes('1h') ? 'long' : 'short';
}
