import { speechInstructionsField } from '@headgate/dialects';
import type { Assumptions } from '../ports/ports.ts';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { RelayError } from '../ports/relay-error.ts';
import { noTokens, type TokenCount } from '../quota/quota-of.ts';
import type { RelayRequest } from '../request/read-request.ts';
import { estimatePrompt } from '../tokens/estimate-tokens.ts';
import { providerOf } from '../upstream/upstream-view.ts';
import { attachmentsOf } from './attachments.ts';
import type { UsageEstimate } from './estimated-usage.ts';
import { estimateImages } from './images.ts';
import { promptBound } from './prompt-bound.ts';
import { estimateRanking } from './ranking.ts';
import { readableTokensOn } from './readable-tokens.ts';
import { estimateTranscription } from './transcription.ts';

const longestSpeech = 4096;

export function estimateUsage(
  request: RelayRequest,
  channels: readonly RelayChannel[],
  { usualAnswer, longestAnswer }: Assumptions,
): UsageEstimate {
  const { kind, completionLimit } = request;
  const answers = request.tries * request.prompts;
  if (kind.costs === 'images') return estimateImages(request);
  if (kind.costs === 'characters') return fixed(charactersOf(request));
  if (kind.costs === 'transcript') return estimateTranscription(request.model, request.upload);
  if (kind.costs === 'ranking') return estimateRanking(request, channels);
  const earlier = request.earlier?.tokens ?? 0;
  const used: TokenCount = { prompt: estimatePrompt(request) + earlier, completion: 0, counted: 'estimate' };
  const attached = attachmentsOf(request, channels);
  const prompt = promptBound(request, channels, attached);
  // What is in files of unknown length, and all else, fits into what the model can read.
  const unseen = attached.isUnbounded ? readableTokensOn(channels, request.model) : 0;
  const audio = audioParts(attached.sounds);
  if (!kind.answersText) return bounded({ prompt, completion: 0, ...audio }, unseen, used);
  const beside = besideAnswer(request, prompt);
  if (completionLimit === undefined || bringsMore(request) || request.summarizesFirst) {
    const least = { prompt, completion: Math.max(usualAnswer, completionLimit ?? 0) * answers + beside, ...audio };
    const longest = Math.max(longestAnswer, usualAnswer, completionLimit ?? 0);
    const more = Math.max(searched(request), unseen);
    const most = {
      prompt: prompt + more,
      completion: longest * answers + beside,
      ...audioParts(attached.sounds + unseen),
    };
    return { most, least, used, attachedTokens: attached.dearest };
  }
  const completion = (completionLimit + thoughtsBeside(request, channels)) * answers + beside;
  return { ...bounded({ prompt, completion, ...audio }, unseen, used), attachedTokens: attached.dearest };
}

/** Of a request that may use so much, and what is unseen beside. */
function bounded(tokens: TokenCount, unseen: number, used: TokenCount): UsageEstimate {
  if (unseen === 0) return { most: tokens, least: undefined, used };
  // A file that is not known may be audio.
  const audio = audioParts((tokens.parts?.audio ?? 0) + unseen);
  return { most: { ...tokens, prompt: tokens.prompt + unseen, ...audio }, least: tokens, used };
}

/** Audio in a prompt, which has a price of its own. */
const audioParts = (audio: number): Pick<TokenCount, 'parts'> =>
  audio > 0 ? { parts: { cached: 0, written: 0, writtenLong: 0, reasoning: 0, audio } } : {};

/** Whether the request itself says how long all that is charged may be; a summary has no limit of its own. */
export const limitsItself = ({ completionLimit, summarizesFirst }: RelayRequest): boolean =>
  completionLimit !== undefined && !summarizesFirst;

function fixed(units: number): UsageEstimate {
  const used = { ...noTokens, units };
  return { most: used, least: undefined, used };
}

/** Tokens that are paid as an answer beside it. */
const besideAnswer = ({ repeatsPrompt, tries }: RelayRequest, prompt: number): number =>
  repeatsPrompt ? prompt * tries : 0;

/** Whether the prompt will be longer than what was sent: by what is searched for, or by an earlier answer that is not known here. */
const bringsMore = ({ mayGrowPrompt, model, goesOnFrom, earlier }: RelayRequest): boolean =>
  mayGrowPrompt || model.endsWith('-internet') || (goesOnFrom !== undefined && !earlier);

const mostSearched = 131_072;

const searched = (request: RelayRequest): number => (bringsMore(request) ? mostSearched : 0);

const thoughtsBeside = ({ thinking, model }: RelayRequest, channels: readonly RelayChannel[]): number =>
  channels.reduce((most, channel) => {
    const { thoughtsBesideLimit } = providerOf(channel);
    if (!thoughtsBesideLimit) return most;
    return Math.max(most, thoughtsBesideLimit(thinking, channel.modelMapping.get(model) || model));
  }, 0);

/** Of the text that is spoken, and of what is said about how to speak it. */
function charactersOf({ body, kind }: RelayRequest): number {
  const spoken = body[kind.input];
  if (typeof spoken !== 'string') throw refused(`${kind.input} must be text`);
  return charactersIn(kind.input, spoken) + charactersIn(speechInstructionsField, body[speechInstructionsField] ?? '');
}

function charactersIn(field: string, value: unknown): number {
  if (typeof value !== 'string') throw refused(`${field} must be text`);
  // No character takes more than two places; far longer texts are not taken apart.
  const count = value.length > 2 * longestSpeech ? value.length : [...value].length;
  if (count > longestSpeech) throw refused(`${field} may have at most ${longestSpeech} characters`, 'text_too_long');
  return count;
}

const refused = (message: string, code: string | null = null) =>
  new RelayError(400, message, code, 'invalid_request_error');
