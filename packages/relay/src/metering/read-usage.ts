import { type UnverifiedUsage, usagePartNames } from '@headgate/dialects';
import { type ReportedServiceTier, readReportedTier } from '../quota/price-conditions.ts';
import { capTokenParts, type TokenParts } from '../quota/quota-of.ts';
import type { RelayRequest } from '../request/read-request.ts';

/** The plausible part of the usage that an upstream reports. */
export interface ReportedUsage {
  /** Undefined if not reported or not plausible. */
  readonly prompt: number | undefined;
  readonly completion: number | undefined;
  /** Service tier that served the request; undefined if not reported. */
  readonly serviceTier?: ReportedServiceTier;
  /** Undefined if none is reported or none is plausible. */
  readonly parts?: TokenParts | undefined;
  /** Short description of the implausible value; undefined if all are plausible. */
  readonly implausible: string | undefined;
}

/** Upper limit of completion tokens: more than any model produces. */
const maxCompletion = 1_000_000;
/** Upper limit of prompt tokens beyond what was sent: files by URL, search results, prompts added by the upstream. */
const maxUnsent = 2_000_000;

type RequestSize = Pick<RelayRequest, 'bytes' | 'tries' | 'prompts' | 'kind'>;

/** Reads the usage that the upstream reports. A prompt has at least one token and at most one token per byte. */
export function readUsage(
  claim: UnverifiedUsage | undefined,
  { bytes, tries, prompts, kind }: RequestSize,
): ReportedUsage {
  if (!claim) return noReportedUsage;
  const { promptTokens, completionTokens, totalTokens } = claim;
  const prompt = whole(promptTokens, bytes.length + maxUnsent) || undefined;
  const max = maxCompletion * tries * prompts;
  const completion = whole(completionTokens, max);
  const response =
    completion === undefined
      ? completionFromTotal(totalTokens, prompt, max)
      : completion + separateReasoning(claim, max);
  const { parts, odd } = readParts(claim, prompt ?? 0, response ?? 0);
  const implausible = [
    isImplausible(promptTokens, prompt) && `${usagePartNames.prompt} ${describeFigure(promptTokens)}`,
    isImplausible(completionTokens, completion) && `${usagePartNames.completion} ${describeFigure(completionTokens)}`,
    odd,
  ].filter(Boolean);
  return {
    prompt,
    completion: response ?? (kind.hasTextOutput ? undefined : 0),
    parts,
    serviceTier: readReportedTier(claim.serviceTier),
    implausible: implausible.length === 0 ? undefined : implausible.join(', '),
  };
}

/**
 * Reasoning tokens that the upstream reports in addition to the completion: the total is then the sum of prompt,
 * completion and reasoning.
 */
function separateReasoning(
  { promptTokens, completionTokens, totalTokens, reasoningTokens }: UnverifiedUsage,
  max: number,
) {
  const thoughts = whole(reasoningTokens, max) ?? 0;
  return thoughts > 0 && Number(promptTokens) + Number(completionTokens) + thoughts === totalTokens ? thoughts : 0;
}

export const noReportedUsage: ReportedUsage = { prompt: undefined, completion: undefined, implausible: undefined };

/** Completion tokens if only the prompt and the total are reported. */
function completionFromTotal(total: unknown, prompt: number | undefined, max: number): number | undefined {
  const sum = whole(total, Number.MAX_SAFE_INTEGER);
  const rest = sum === undefined || prompt === undefined ? 0 : sum - prompt;
  return rest > 0 && rest <= max ? rest : undefined;
}

function whole(value: unknown, max: number): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= max ? Math.ceil(value) : undefined;
}

const isImplausible = (reported: unknown, read: number | undefined): boolean =>
  reported !== undefined && reported !== null && reported !== 0 && read === undefined;

const maxFigureLength = 40;
const describeFigure = (value: unknown): string => String(JSON.stringify(value)).slice(0, maxFigureLength);

interface ReadParts {
  readonly parts: TokenParts | undefined;
  /** Short description of the first implausible value. */
  readonly odd: string | undefined;
}

const noParts: ReadParts = { parts: undefined, odd: undefined };

/** Splits the usage into disjoint parts that never exceed the total. */
function readParts(claim: UnverifiedUsage, prompt: number, completion: number): ReadParts {
  const { cachedTokens, cacheWriteTokens, cacheLongWriteTokens, reasoningTokens } = claim;
  if (!hasParts(claim)) return noParts;
  const cached = whole(cachedTokens, prompt) ?? 0;
  const written = whole(cacheWriteTokens, prompt - cached) ?? 0;
  const writtenLong = whole(cacheLongWriteTokens, written) ?? 0;
  const reasoning = whole(reasoningTokens, completion) ?? 0;
  const odd =
    oddPart(usagePartNames.cached, cachedTokens, cached) ??
    oddPart(usagePartNames.written, cacheWriteTokens, written) ??
    oddPart(usagePartNames.reasoning, reasoningTokens, reasoning);
  const media = {
    ...promptMedia(claim, { prompt, cached, written }),
    ...positive({
      audioCompletion: whole(claim.audioCompletionTokens, completion),
      imageCompletion: whole(claim.imageCompletionTokens, completion),
    }),
  };
  if (cached + written + reasoning === 0 && Object.keys(media).length === 0) return { parts: undefined, odd };
  return { parts: capTokenParts({ cached, written, writtenLong, reasoning, ...media }, completion), odd };
}

/** Members that are not parts. */
const totals: ReadonlySet<string> = new Set(['promptTokens', 'completionTokens', 'totalTokens', 'serviceTier']);

function hasParts(claim: UnverifiedUsage): boolean {
  for (const name in claim) if (claim[name as keyof UnverifiedUsage] && !totals.has(name)) return true;
  return false;
}

interface PromptParts {
  readonly prompt: number;
  readonly cached: number;
  readonly written: number;
}

/**
 * Audio and images of a prompt, cached and not. If the upstream does not report how many of them are cached, the text
 * counts as cached first.
 */
function promptMedia(claim: UnverifiedUsage, { prompt, cached, written }: PromptParts): Partial<TokenParts> {
  const sound = whole(claim.audioTokens, prompt) ?? 0;
  const pictures = Math.min(whole(claim.imageTokens, prompt) ?? 0, prompt - sound);
  if (sound + pictures === 0) return {};
  const cachedMedia = Math.max(cached - (prompt - sound - pictures), 0);
  const cachedAudio = Math.min(whole(claim.cachedAudioTokens, prompt) ?? cachedMedia, sound, cached);
  const restOfCache = Math.max(cachedMedia - cachedAudio, 0);
  const cachedImage = Math.min(whole(claim.cachedImageTokens, prompt) ?? restOfCache, pictures, cached - cachedAudio);
  const uncached = prompt - cached - written;
  const audio = Math.min(sound - cachedAudio, uncached);
  const image = Math.min(pictures - cachedImage, uncached - audio);
  return positive({ audio, image, cachedAudio, cachedImage });
}

/** The counts above 0. */
const positive = (counts: Partial<Record<keyof TokenParts, number | undefined>>): Partial<TokenParts> =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== undefined && count > 0));

const oddPart = (name: string, reportedCount: unknown, read: number): string | undefined =>
  reportedCount && read === 0 ? `${name} ${describeFigure(reportedCount)}` : undefined;
