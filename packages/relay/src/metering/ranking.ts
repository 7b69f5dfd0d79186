import { type JsonObject, readRanking } from '@headgate/dialects';
import { rankingSearches, rankingTokens, searchesName } from '@headgate/providers';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { noTokens, type TokenCount } from '../quota/quota-of.ts';
import type { RelayRequest } from '../request/read-request.ts';
import { estimatePrompt, estimateTokens } from '../tokens/estimate-tokens.ts';
import { providerOf } from '../upstream/upstream-view.ts';
import type { UsageEstimate } from './estimated-usage.ts';
import { promptBound } from './prompt-bound.ts';
import { type ReportedUsage, readUsage } from './read-usage.ts';

/** Cohere's unit: one question about up to a hundred pieces, each of up to 500 tokens with the question in it. */
const piecesPerSearch = 100;
const tokensPerPiece = 500;
/** The least tokens of a piece that are left to the document, however long the question is. */
const leastRoom = 100;
/** Units of a search, as many as a picture has: a ratio of 1 is two dollars for a thousand of them. */
const unitsPerSearch = 1000;

type TokensOf = (text: string) => number;

const mostTokens: TokensOf = (text) => Buffer.byteLength(text);
const aboutTokens: TokensOf = (text) => estimateTokens(Buffer.byteLength(text));

/** How many searches a request is, by how many tokens its texts have. */
function searchesIn({ body }: RelayRequest, tokensOf: TokensOf): number {
  const { question, documents } = readRanking(body);
  const room = Math.max(tokensPerPiece - tokensOf(question), leastRoom);
  const pieces = documents.reduce((sum, document) => sum + Math.max(1, Math.ceil(tokensOf(document) / room)), 0);
  return Math.ceil(pieces / piecesPerSearch);
}

const isBySearch = (channel: RelayChannel): boolean => providerOf(channel).ranksBySearch === true;

/** What a ranking will use: tokens, and on some channels searches instead. */
export function estimateRanking(request: RelayRequest, channels: readonly RelayChannel[]): UsageEstimate {
  const prompt = promptBound(request, channels);
  if (!channels.some(isBySearch)) {
    const used: TokenCount = { ...noTokens, prompt: estimatePrompt(request), counted: 'estimate' };
    return { most: { ...noTokens, prompt }, least: undefined, used };
  }
  const units = searchesIn(request, mostTokens) * unitsPerSearch;
  const most = { ...noTokens, units: channels.every(isBySearch) ? units : Math.max(units, prompt) };
  return { most, least: undefined, used: searchesUsed(request) };
}

/** What a ranking used whose upstream reports nothing. */
const searchesUsed = (request: RelayRequest): TokenCount => ({
  ...noTokens,
  units: searchesIn(request, aboutTokens) * unitsPerSearch,
  counted: 'estimate',
});

export interface RankingUse {
  readonly reported: ReportedUsage;
  /** Undefined when tokens must be counted. */
  readonly use: TokenCount | undefined;
}

/** What a ranking used by the word of its upstream, in whichever of the usual places it stands. */
export function rankingUse(reply: JsonObject, request: RelayRequest, channel: RelayChannel): RankingUse {
  const reported = readUsage({ promptTokens: rankingTokens(reply), completionTokens: 0 }, request);
  if (isBySearch(channel)) return { reported, use: searchesReported(reply, request) };
  const { prompt, implausible } = reported;
  return { reported, use: prompt === undefined || implausible !== undefined ? undefined : { ...noTokens, prompt } };
}

function searchesReported(reply: JsonObject, request: RelayRequest): TokenCount {
  const searches = rankingSearches(reply);
  const isPossible = searches !== undefined && searches > 0 && searches <= searchesIn(request, mostTokens);
  if (isPossible) return { ...noTokens, units: Math.ceil(searches) * unitsPerSearch };
  return { ...searchesUsed(request), ...(searches !== undefined && { implausible: `${searchesName} ${searches}` }) };
}
