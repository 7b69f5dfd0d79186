import { listAt, numberAt, objectAt, UpstreamProblem } from '@headgate/dialects';
import { embeddingResponse, readEmbeddingRequest, vectorsOf } from '../embeddings-format.ts';
import { jsonBody } from '../json-body.ts';
import type { JsonAdaptor } from '../provider.ts';
import { modelRequest } from './chat.ts';
import { readGeminiProblem } from './gemini-problem.ts';

export const embeddings: JsonAdaptor = {
  kind: 'convert',
  encode: (body, upstream) => {
    const { texts, dimensions } = readEmbeddingRequest(body);
    const requests = texts.map((text) => ({
      model: `models/${upstream.model}`,
      content: { parts: [{ text }] },
      ...(dimensions !== undefined && { outputDimensionality: dimensions }),
    }));
    return { ...modelRequest(upstream, 'batchEmbedContents'), body: jsonBody({ requests }, upstream) };
  },
  decode: (body, upstream) => {
    const vectors = vectorsOf(listAt(body, 'embeddings').map((row) => listAt(row, 'values')));
    if (vectors.length === 0) throw new UpstreamProblem(502, 'The upstream returned no embeddings');
    return embeddingResponse(vectors, upstream, numberAt(objectAt(body, 'usageMetadata'), 'promptTokenCount'));
  },
  readProblem: readGeminiProblem,
};
