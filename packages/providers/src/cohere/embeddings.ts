import { listAt, numberAt, objectAt, UpstreamProblem } from '@headgate/dialects';
import { embeddingResponse, readEmbeddingRequest, vectorsOf } from '../embeddings-format.ts';
import { jsonBody } from '../json-body.ts';
import { bearer } from '../openai-compatible/pass-through.ts';
import type { JsonAdaptor } from '../provider.ts';

export const embeddings: JsonAdaptor = {
  kind: 'convert',
  encode: (body, upstream) => {
    const { texts, dimensions } = readEmbeddingRequest(body);
    return {
      method: 'POST',
      url: `${upstream.baseUrl}/v2/embed`,
      headers: { 'content-type': 'application/json', ...bearer(upstream) },
      body: jsonBody(
        {
          model: upstream.model,
          texts,
          // Default purpose, which Cohere's clients send but OpenAI's do not.
          input_type: typeof body['input_type'] === 'string' ? body['input_type'] : 'search_document',
          embedding_types: ['float'],
          output_dimension: dimensions,
        },
        upstream,
      ),
    };
  },
  decode: (body, upstream) => {
    const vectors = vectorsOf(listAt(objectAt(body, 'embeddings'), 'float'));
    if (vectors.length === 0) throw new UpstreamProblem(502, 'The upstream returned no embeddings');
    const tokens = numberAt(objectAt(objectAt(body, 'meta'), 'billed_units'), 'input_tokens');
    return embeddingResponse(vectors, upstream, tokens);
  },
};
