import { claimNames, type UsageClaim } from '@headgate/dialects';
import { partsWithin, type TokenParts } from '../quota/quota-of.ts';
import type { RelayRequest } from '../request/read-request.ts';

/** What an upstream told of a request, as far as that can be. */
export interface ReportedUsage {
  /** Undefined: not told, or not possible. */
  readonly prompt: number | undefined;
  readonly completion: number | undefined;
  /** Undefined: none are told, or none that can be. */
  readonly parts?: TokenParts | undefined;
  /** What was told and cannot be, in a few words; undefined when all can. */
  readonly implausible: string | undefined;
}

/** The most tokens an answer can have: more than any model says. */
const mostCompletion = 1_000_000;
/** The most tokens a prompt can have beside what was sent: files by their address, found pages, prompts of the upstream's own. */
const mostUnsent = 2_000_000;

type Asked = Pick<RelayRequest, 'bytes' | 'tries' | 'prompts' | 'kind'>;

/** What the upstream says it used. A prompt is at least a token, and has no more of them than bytes. */
export function readUsage(claim: UsageClaim | undefined, { bytes, tries, prompts, kind }: Asked): ReportedUsage {
  if (!claim) return nothingReported;
  const { promptTokens, completionTokens, totalTokens } = claim;
  const prompt = whole(promptTokens, bytes.length + mostUnsent) || undefined;
  const most = mostCompletion * tries * prompts;
  const completion = whole(completionTokens, most);
  const answer =
    completion === undefined ? restOf(totalTokens, prompt, most) : completion + thoughtsBeside(claim, most);
  const { parts, odd } = readParts(claim, prompt ?? 0, answer ?? 0);
  const implausible = [
    isImplausible(promptTokens, prompt) && `${claimNames.prompt} ${wordsFor(promptTokens)}`,
    isImplausible(completionTokens, completion) && `${claimNames.completion} ${wordsFor(completionTokens)}`,
    odd,
  ].filter(Boolean);
  return {
    prompt,
    completion: answer ?? (kind.answersText ? undefined : 0),
    parts,
    implausible: implausible.length === 0 ? undefined : implausible.join(', '),
  };
}

/** Some tell their thoughts beside the completion: then the sum is of all three. */
function thoughtsBeside({ promptTokens, completionTokens, totalTokens, reasoningTokens }: UsageClaim, most: number) {
  const thoughts = whole(reasoningTokens, most) ?? 0;
  return thoughts > 0 && Number(promptTokens) + Number(completionTokens) + thoughts === totalTokens ? thoughts : 0;
}

export const nothingReported: ReportedUsage = { prompt: undefined, completion: undefined, implausible: undefined };

/** The completion where only the prompt and the sum are reported. */
function restOf(total: unknown, prompt: number | undefined, most: number): number | undefined {
  const sum = whole(total, Number.MAX_SAFE_INTEGER);
  const rest = sum === undefined || prompt === undefined ? 0 : sum - prompt;
  return rest > 0 && rest <= most ? rest : undefined;
}

function whole(value: unknown, most: number): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= most ? Math.ceil(value) : undefined;
}

const isImplausible = (reported: unknown, read: number | undefined): boolean =>
  reported !== undefined && reported !== null && reported !== 0 && read === undefined;

const longestWords = 40;
const wordsFor = (value: unknown): string => String(JSON.stringify(value)).slice(0, longestWords);

interface ReadParts {
  readonly parts: TokenParts | undefined;
  /** The first that cannot be, in a few words. */
  readonly odd: string | undefined;
}

const noParts: ReadParts = { parts: undefined, odd: undefined };

/** A part is no more than the whole. */
function readParts(claim: UsageClaim, prompt: number, completion: number): ReadParts {
  const { cachedTokens, cacheWriteTokens, cacheLongWriteTokens, reasoningTokens } = claim;
  const media = mediaParts(claim, prompt, completion);
  if (!cachedTokens && !cacheWriteTokens && !reasoningTokens && !media) return noParts;
  const cached = whole(cachedTokens, prompt) ?? 0;
  const written = whole(cacheWriteTokens, prompt - cached) ?? 0;
  const writtenLong = whole(cacheLongWriteTokens, written) ?? 0;
  const reasoning = whole(reasoningTokens, completion) ?? 0;
  const odd =
    oddPart(claimNames.cached, cachedTokens, cached) ??
    oddPart(claimNames.written, cacheWriteTokens, written) ??
    oddPart(claimNames.reasoning, reasoningTokens, reasoning);
  const parts = { cached, written, writtenLong, reasoning, ...media };
  if (cached + written + reasoning === 0 && !media) return { parts: undefined, odd };
  return { parts: { ...partsWithin(parts, completion), ...audioBesideCache(parts, prompt) }, odd };
}

/** Audio and images as far as they can be; undefined where none are reported. */
function mediaParts(claim: UsageClaim, prompt: number, completion: number): Partial<TokenParts> | undefined {
  const { audioTokens, audioCompletionTokens, imageCompletionTokens } = claim;
  if (!audioTokens && !audioCompletionTokens && !imageCompletionTokens) return undefined;
  const audio = whole(audioTokens, prompt) ?? 0;
  const audioCompletion = whole(audioCompletionTokens, completion) ?? 0;
  const imageCompletion = whole(imageCompletionTokens, completion) ?? 0;
  return {
    ...(audio > 0 && { audio }),
    ...(audioCompletion > 0 && { audioCompletion }),
    ...(imageCompletion > 0 && { imageCompletion }),
  };
}

/** What was read from a cache has the price of that, also where it is audio. */
const audioBesideCache = ({ cached, written, audio }: TokenParts, prompt: number): Partial<TokenParts> =>
  audio ? { audio: Math.min(audio, Math.max(prompt - cached - written, 0)) } : {};

const oddPart = (name: string, told: unknown, read: number): string | undefined =>
  told && read === 0 ? `${name} ${wordsFor(told)}` : undefined;
