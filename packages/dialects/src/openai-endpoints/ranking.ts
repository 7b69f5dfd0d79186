import { isObject, type JsonObject, listOf, requiredText } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { listAt, textAt } from '../upstream-fields.ts';
import { wholeNumberIn } from '../whole-number.ts';
import type { RepeatedText } from './endpoint-fields.ts';

/** Maximum documents of a ranking: the highest limit of any provider. */
const maxDocuments = 10_000;
/** Maximum query bytes times number of documents: no provider accepts more per request. */
const maxRepeatedBytes = 4_000_000;

/** Query and documents of a ranking. */
export interface Ranking {
  readonly question: string;
  /** As text; non-text documents as JSON. */
  readonly documents: readonly string[];
}

/** Rejects non-text content, and fields whose cost does not depend on the text. */
export function checkRanking(body: JsonObject): void {
  const query = requiredText(body['query'], 'query');
  if (query === '') throw new RequestProblem('query', 'query must not be empty');
  const documents = listOf(body['documents'], 'documents');
  if (documents.length === 0) throw new RequestProblem('documents', 'documents must not be empty');
  if (documents.length > maxDocuments) {
    throw new RequestProblem('documents', `documents must contain at most ${maxDocuments} items`);
  }
  if (Buffer.byteLength(query) * documents.length > maxRepeatedBytes) {
    throw new RequestProblem('query', 'query is too long for this number of documents');
  }
  for (const [index, document] of documents.entries()) checkDocument(document, `documents[${index}]`);
  wholeNumberIn(body, 'top_n', 1, Number.MAX_SAFE_INTEGER);
}

function checkDocument(document: unknown, at: string): void {
  if (typeof document === 'string') return;
  if (!isObject(document)) throw new RequestProblem(at, `${at} must be text or an object with a text field`);
  requiredText(document['text'], `${at}.text`);
  for (const name of ['image', 'image_url', 'video'] as const) {
    if (document[name] != null) throw new RequestProblem(`${at}.${name}`, `${at}.${name} is not supported`);
  }
}

/** Reads a validated ranking. */
export const readRanking = (body: JsonObject): Ranking => ({
  question: textAt(body, 'query'),
  documents: listAt(body, 'documents').map((document) =>
    typeof document === 'string' ? document : JSON.stringify(document),
  ),
});

/** The query is read with each document. */
export function repeatedQuery({ query, documents }: JsonObject): RepeatedText | undefined {
  return typeof query === 'string' && Array.isArray(documents) ? { text: query, times: documents.length } : undefined;
}
