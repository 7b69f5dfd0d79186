import { type JsonObject, readRanking } from '@headgate/dialects';
import { billedRerankTokens, billedSearches, searchCountField } from '@headgate/providers';
import type { RelayChannel } from '../ports/relay-channel.ts';
import { noTokens, type TokenCount } from '../quota/quota-of.ts';
import type { RelayRequest } from '../request/read-request.ts';
import { estimatePrompt, estimateTokens } from '../tokens/estimate-tokens.ts';
import { providerFor } from '../upstream/upstream-view.ts';
import type { UsageEstimate } from './estimated-usage.ts';
import { promptTokenBound } from './prompt-bound.ts';
import { type ReportedUsage, readUsage } from './read-usage.ts';

/** Cohere's unit: one query over up to 100 chunks of up to 500 tokens, each including the query. */
const piecesPerSearch = 100;
const tokensPerPiece = 500;
/** Minimum tokens of a chunk reserved for the document, however long the query is. */
const minRoom = 100;
/** Price units of a search, the same as of an image: a ratio of 1 is $2 per 1,000 searches. */
const unitsPerSearch = 1000;

type TokensOf = (text: string) => number;

const maxTokens: TokensOf = (text) => Buffer.byteLength(text);
const aboutTokens: TokensOf = (text) => estimateTokens(Buffer.byteLength(text));

/** Number of searches charged for a rerank request, from the tokens of its texts. */
function searchesIn({ body }: RelayRequest, tokensOf: TokensOf): number {
  const { question, documents } = readRanking(body);
  const room = Math.max(tokensPerPiece - tokensOf(question), minRoom);
  const pieces = documents.reduce((sum, document) => sum + Math.max(1, Math.ceil(tokensOf(document) / room)), 0);
  return Math.ceil(pieces / piecesPerSearch);
}

const isBySearch = (channel: RelayChannel): boolean => providerFor(channel).ranksBySearch === true;

/** Estimated usage of a rerank request: tokens, or searches on some channels. */
export function estimateRerankUsage(request: RelayRequest, channels: readonly RelayChannel[]): UsageEstimate {
  const prompt = promptTokenBound(request, channels);
  if (!channels.some(isBySearch)) {
    const used: TokenCount = { ...noTokens, prompt: estimatePrompt(request), counted: 'estimate' };
    return { most: { ...noTokens, prompt }, least: undefined, used };
  }
  const units = searchesIn(request, maxTokens) * unitsPerSearch;
  const most = { ...noTokens, units: channels.every(isBySearch) ? units : Math.max(units, prompt) };
  return { most, least: undefined, used: searchesUsed(request) };
}

/** Usage of a rerank request for which the upstream reports none. */
const searchesUsed = (request: RelayRequest): TokenCount => ({
  ...noTokens,
  units: searchesIn(request, aboutTokens) * unitsPerSearch,
  counted: 'estimate',
});

export interface RankingUsage {
  readonly reported: ReportedUsage;
  /** Undefined if tokens must be counted. */
  readonly use: TokenCount | undefined;
}

/** Usage of a rerank request as reported by its upstream, in any of the usual fields. */
export function rankingUsage(reply: JsonObject, request: RelayRequest, channel: RelayChannel): RankingUsage {
  const reported = readUsage({ promptTokens: billedRerankTokens(reply), completionTokens: 0 }, request);
  if (isBySearch(channel)) return { reported, use: searchesReported(reply, request) };
  const { prompt, implausible } = reported;
  return { reported, use: prompt === undefined || implausible !== undefined ? undefined : { ...noTokens, prompt } };
}

function searchesReported(reply: JsonObject, request: RelayRequest): TokenCount {
  const searches = billedSearches(reply);
  const isPossible = searches !== undefined && searches > 0 && searches <= searchesIn(request, maxTokens);
  if (isPossible) return { ...noTokens, units: Math.ceil(searches) * unitsPerSearch };
  return {
    ...searchesUsed(request),
    ...(searches !== undefined && { implausible: `${searchCountField} ${searches}` }),
  };
}
