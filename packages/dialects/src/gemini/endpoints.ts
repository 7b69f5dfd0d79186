import { type JsonObject, optionalNumber, optionalText, requiredText, requireObject } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';
import { listAt, numberAt, objectAt } from '../upstream-fields.ts';
import { readField, toList } from './field-spelling.ts';
import { readParts } from './read-contents.ts';
import { plainModelName } from './read-request.ts';

/** Converts `embedContent` to OpenAI's embeddings request. */
export const readEmbedContent = (body: JsonObject, model: string): JsonObject =>
  embeddingsBody([readEmbedding(body, model, '')], model);

/** Converts `batchEmbedContents`: many texts with one model and one vector length. */
export function readBatchEmbedContents(body: JsonObject, model: string): JsonObject {
  const requests = toList(body['requests'], 'requests');
  if (requests.length === 0) throw new RequestProblem('requests', 'requests must not be empty');
  return embeddingsBody(
    requests.map((request, index) =>
      readEmbedding(requireObject(request, `requests[${index}]`), model, `requests[${index}]`),
    ),
    model,
  );
}

interface Embedding {
  readonly text: string;
  readonly dimensions: number | undefined;
}

function readEmbedding(request: JsonObject, model: string, at: string): Embedding {
  const path = (name: string) => (at === '' ? name : `${at}.${name}`);
  const named = optionalText(request['model'], path('model'));
  if (named !== undefined && plainModelName(named) !== plainModelName(model)) {
    throw new RequestProblem(path('model'), `${path('model')} must match the model in the URL`);
  }
  const content = requireObject(request['content'], path('content'));
  const texts = readParts(content, path('content')).map((part) => {
    if (part.kind !== 'text') throw new RequestProblem(part.at, `${part.at} may only contain text`);
    return requiredText(part.value, `${part.at}.text`);
  });
  const length = path('outputDimensionality');
  return { text: texts.join(''), dimensions: optionalNumber(readField(request, 'outputDimensionality', at), length) };
}

function embeddingsBody(embeddings: readonly Embedding[], model: string): JsonObject {
  const lengths = new Set(embeddings.map(({ dimensions }) => dimensions));
  const [dimensions] = lengths;
  if (lengths.size > 1) throw new RequestProblem('requests', 'All requests must have the same outputDimensionality');
  return {
    model: plainModelName(model),
    input: embeddings.map(({ text }) => text),
    encoding_format: 'float',
    ...(dimensions !== undefined && { dimensions }),
  };
}

/** Converts OpenAI's response to that of `embedContent`. */
export const writeEmbedContent = (reply: JsonObject): JsonObject => ({
  embedding: vectorsIn(reply)[0] ?? { values: [] },
  ...usageIn(reply),
});

export const writeBatchEmbedContents = (reply: JsonObject): JsonObject => ({
  embeddings: vectorsIn(reply),
  ...usageIn(reply),
});

const vectorsIn = (reply: JsonObject): readonly { readonly values: readonly unknown[] }[] =>
  listAt(reply, 'data')
    .toSorted((one, other) => (numberAt(one, 'index') ?? 0) - (numberAt(other, 'index') ?? 0))
    .map((row) => ({ values: listAt(row, 'embedding') }));

function usageIn(reply: JsonObject): JsonObject {
  const tokens = numberAt(objectAt(reply, 'usage'), 'prompt_tokens');
  return tokens === undefined ? {} : { usageMetadata: { promptTokenCount: tokens } };
}

/** Model metadata for model lists. */
export interface ListedModel {
  readonly id: string;
  /** Tokens; undefined when unknown. */
  readonly contextWindow?: number | undefined;
  readonly outputLimit?: number | undefined;
  /** An embedding model. */
  readonly isEmbedding?: boolean;
}

export const writeModel = ({ id, contextWindow, outputLimit, isEmbedding }: ListedModel): JsonObject => ({
  name: `models/${id}`,
  version: '1',
  displayName: id,
  description: '',
  ...(contextWindow !== undefined && { inputTokenLimit: contextWindow }),
  ...(outputLimit !== undefined && { outputTokenLimit: outputLimit }),
  supportedGenerationMethods: isEmbedding ? embeddingMethods : chatMethods,
});

const chatMethods = ['generateContent', 'countTokens'];
const embeddingMethods = ['embedContent', 'batchEmbedContents'];

/** A page of the list by `pageSize` and `pageToken`, which is the start index. */
export function writeModelList(
  models: readonly ListedModel[],
  pageSize: string | null,
  pageToken: string | null,
): JsonObject {
  const start = wholeNumber(pageToken, 'pageToken') ?? 0;
  const size = Math.min(wholeNumber(pageSize, 'pageSize') || usualPage, maxPageLength);
  const end = start + size;
  return {
    models: models.slice(start, end).map(writeModel),
    ...(end < models.length && { nextPageToken: String(end) }),
  };
}

const usualPage = 50;
const maxPageLength = 1000;

function wholeNumber(text: string | null, name: string): number | undefined {
  if (text === null || text === '') return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new RequestProblem(name, `${name} is invalid`);
}

/** Request whose prompt `countTokens` counts: nested, or as top-level fields. */
export function readCountRequest(body: JsonObject): JsonObject {
  const whole = readField(body, 'generateContentRequest');
  if (whole === undefined) return body;
  if (body['contents'] != null) {
    throw new RequestProblem('contents', 'Send either contents or generateContentRequest, not both');
  }
  return requireObject(whole, 'generateContentRequest');
}

export const writeTokenCount = (tokens: number): JsonObject => ({
  totalTokens: tokens,
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: tokens }],
});
