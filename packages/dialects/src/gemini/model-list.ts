import type { JsonObject } from '../json-fields.ts';
import { RequestProblem } from '../problems.ts';

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
