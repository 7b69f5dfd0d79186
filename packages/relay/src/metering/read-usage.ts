import { claimNames, type UsageClaim } from '@headgate/dialects';
import type { TokenParts } from '../quota/quota-of.ts';
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
  if (!cachedTokens && !cacheWriteTokens && !reasoningTokens) return noParts;
  const cached = whole(cachedTokens, prompt) ?? 0;
  const written = whole(cacheWriteTokens, prompt - cached) ?? 0;
  const writtenLong = whole(cacheLongWriteTokens, written) ?? 0;
  const reasoning = whole(reasoningTokens, completion) ?? 0;
  const odd =
    oddPart(claimNames.cached, cachedTokens, cached) ??
    oddPart(claimNames.written, cacheWriteTokens, written) ??
    oddPart(claimNames.reasoning, reasoningTokens, reasoning);
  return { parts: cached + written + reasoning > 0 ? { cached, written, writtenLong, reasoning } : undefined, odd };
}

const oddPart = (name: string, told: unknown, read: number): string | undefined =>
  told && read === 0 ? `${name} ${wordsFor(told)}` : undefined;
