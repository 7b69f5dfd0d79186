import {
  isObject,
  listAt,
  numberAt,
  objectAt,
  RequestProblem,
  requiredText,
  requireList,
  UpstreamProblem,
  wholeNumberIn,
} from '@headgate/dialects';
import type { JsonObject, Upstream } from './provider.ts';

/** A rerank request, for upstreams that accept only texts. */
export interface RerankRequest {
  readonly query: string;
  readonly texts: readonly string[];
  readonly topN: number | undefined;
}

export function readRerankRequest(body: JsonObject): RerankRequest {
  if (body['rank_fields'] != null) {
    throw new RequestProblem('rank_fields', "The channel's provider does not support rank_fields");
  }
  return {
    query: requiredText(body['query'], 'query'),
    texts: requireList(body['documents'], 'documents').map(textOfDocument),
    topN: wholeNumberIn(body, 'top_n', 1, Number.MAX_SAFE_INTEGER),
  };
}

const textOfDocument = (document: unknown, index: number): string =>
  isObject(document)
    ? requiredText(document['text'], `documents[${index}].text`)
    : requiredText(document, `documents[${index}]`);

/** A rerank response: index and score of the best documents, with their texts if requested. */
export function rankingResponse(rows: readonly unknown[], upstream: Upstream, request: JsonObject = {}): JsonObject {
  const documents = listAt(request, 'documents');
  const results = rows.map((row) => {
    const index = numberAt(row, 'index');
    const relevance_score = numberAt(row, 'relevance_score');
    const document = index === undefined ? undefined : documents[index];
    if (document === undefined || relevance_score === undefined) {
      throw new UpstreamProblem(502, 'The upstream returned no ranking');
    }
    if (request['return_documents'] !== true) return { index, relevance_score };
    return { index, relevance_score, document: isObject(document) ? document : { text: document } };
  });
  return { model: upstream.requestedModel, results };
}

/** Converts documents to texts, because many upstreams do not accept objects as Cohere does. */
export const textDocuments = (body: JsonObject): JsonObject =>
  listAt(body, 'documents').some(isObject) ? { documents: readRerankRequest(body).texts } : {};

/** True if the body is a rerank response (has a `results` array). */
export const isRerankResponse = ({ results }: JsonObject): boolean => Array.isArray(results);

/** Most common name for the number of searches. */
export const searchCountField = 'search_units';

/** Number of searches that an upstream charges for a rerank request; undefined if it reports none. */
export const billedSearches = (reply: JsonObject): number | undefined =>
  numberAt(objectAt(objectAt(reply, 'meta'), 'billed_units'), searchCountField) ??
  numberAt(objectAt(reply, 'usage'), searchCountField);

/** Tokens that an upstream read for a rerank request, in any of the usual fields. The response has no text output. */
export function billedRerankTokens(reply: JsonObject): number | undefined {
  const meta = objectAt(reply, 'meta');
  const containers = [objectAt(reply, 'usage'), objectAt(meta, 'tokens'), objectAt(meta, 'billed_units')];
  const reported = containers.flatMap((container) => tokenNames.map((name) => numberAt(container, name)));
  return reported.find((tokens) => tokens !== undefined && tokens !== 0);
}

const tokenNames = ['prompt_tokens', 'input_tokens', 'total_tokens'] as const;
