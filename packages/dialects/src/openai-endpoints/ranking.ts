import { isObject, type JsonObject, listOf, requiredText } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { listAt, textAt } from '../upstream-fields.ts';
import { wholeNumberIn } from '../whole-number.ts';
import type { ReadAgain } from './endpoint-fields.ts';

/** The most documents of a ranking: as many as the most patient provider takes. */
const mostDocuments = 10_000;
/** Bytes of the question, once for each document: no provider reads so much in one request. */
const mostReadAgain = 4_000_000;

/** What is ranked by what. */
export interface Ranking {
  readonly question: string;
  /** Each as text; as JSON where it is none. */
  readonly documents: readonly string[];
}

/** Refuses all but texts, and whatever costs what the words of the request do not tell. */
export function judgeRanking(body: JsonObject): void {
  const query = requiredText(body['query'], 'query');
  if (query === '') throw new RequestProblem('query', 'query must not be empty');
  const documents = listOf(body['documents'], 'documents');
  if (documents.length === 0) throw new RequestProblem('documents', 'documents must not be empty');
  if (documents.length > mostDocuments) {
    throw new RequestProblem('documents', `documents may be at most ${mostDocuments}`);
  }
  if (Buffer.byteLength(query) * documents.length > mostReadAgain) {
    throw new RequestProblem('query', 'query is too long for so many documents');
  }
  for (const [index, document] of documents.entries()) judgeDocument(document, `documents[${index}]`);
  wholeNumberIn(body, 'top_n', 1, Number.MAX_SAFE_INTEGER);
}

function judgeDocument(document: unknown, at: string): void {
  if (typeof document === 'string') return;
  if (!isObject(document)) throw new RequestProblem(at, `${at} must be text, or an object with a text`);
  requiredText(document['text'], `${at}.text`);
  for (const name of ['image', 'image_url', 'video'] as const) {
    if (document[name] != null) throw new RequestProblem(`${at}.${name}`, `${at}.${name} is not supported`);
  }
}

/** A ranking that was judged. */
export const readRanking = (body: JsonObject): Ranking => ({
  question: textAt(body, 'query'),
  documents: listAt(body, 'documents').map((document) =>
    typeof document === 'string' ? document : JSON.stringify(document),
  ),
});

/** The question is read with each document. */
export function questionAgain({ query, documents }: JsonObject): ReadAgain | undefined {
  return typeof query === 'string' && Array.isArray(documents) ? { text: query, times: documents.length } : undefined;
}
