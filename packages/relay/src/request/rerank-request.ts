import { isObject, type JsonObject, listOf, RequestProblem, requiredText, wholeNumberIn } from '@headgate/dialects';

/** The most documents of a ranking: as many as the most patient provider takes. */
const mostDocuments = 10_000;
/** Bytes of the question, once for each document: no provider reads so much in one request. */
const mostReadAgain = 4_000_000;

/** What is ranked by what: texts, and nothing whose cost the words of the request do not tell. */
export function judgeRerank(body: JsonObject): void {
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
