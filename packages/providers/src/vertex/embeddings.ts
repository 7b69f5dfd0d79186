import { listAt, numberAt, objectAt, RequestProblem, UpstreamProblem } from '@headgate/dialects';
import { type EmbeddingRequest, embeddingResponse, readEmbeddingRequest, vectorsOf } from '../embeddings-format.ts';
import { readGeminiProblem } from '../gemini/gemini-problem.ts';
import type { JsonAdaptor, JsonObject } from '../provider.ts';
import { modelRequest } from './address.ts';

export const embeddings: JsonAdaptor = {
  kind: 'convert',
  encode: (body, upstream) => {
    const request = readEmbeddingRequest(body);
    const isContent = upstream.model.startsWith('gemini-embedding-2');
    return modelRequest(
      upstream,
      { publisher: 'google', version: 'v1beta1', action: isContent ? 'embedContent' : 'predict' },
      isContent ? contentBody(request) : predictBody(request),
    );
  },
  decode: (body, upstream) => {
    const predictions = listAt(body, 'predictions').map((row) => objectAt(row, 'embeddings'));
    const rows = predictions.length > 0 ? predictions : [objectAt(body, 'embedding')];
    const vectors = vectorsOf(rows.map((row) => listAt(row, 'values')));
    if (vectors.length < rows.length) throw new UpstreamProblem(502, 'The upstream returned no embeddings');
    return embeddingResponse(vectors, upstream, tokensIn(body, predictions));
  },
  readProblem: readGeminiProblem,
};

const predictBody = ({ texts, dimensions }: EmbeddingRequest): JsonObject => ({
  instances: texts.map((content) => ({ content })),
  ...(dimensions !== undefined && { parameters: { outputDimensionality: dimensions } }),
});

function contentBody({ texts, dimensions }: EmbeddingRequest): JsonObject {
  const [text] = texts;
  if (texts.length !== 1) throw new RequestProblem('input', 'This model accepts only one input text per request');
  return { content: { parts: [{ text }] }, ...(dimensions !== undefined && { outputDimensionality: dimensions }) };
}

function tokensIn(body: unknown, predictions: readonly unknown[]): number | undefined {
  const counts = predictions.map((row) => numberAt(objectAt(row, 'statistics'), 'token_count'));
  if (counts.some((count) => count !== undefined)) return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  return numberAt(objectAt(body, 'usageMetadata'), 'promptTokenCount');
}
