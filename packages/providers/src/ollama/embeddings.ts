import { listAt, numberAt, UpstreamProblem } from '@headgate/dialects';
import { embeddingResponse, readEmbeddingRequest, vectorsOf } from '../embeddings-format.ts';
import type { JsonAdaptor } from '../provider.ts';
import { postRequest } from './chat.ts';

export const embeddings: JsonAdaptor = {
  kind: 'convert',
  encode: (body, upstream) => {
    const { texts, dimensions } = readEmbeddingRequest(body);
    return postRequest(upstream, '/api/embed', { model: upstream.model, input: texts, dimensions });
  },
  decode: (body, upstream) => {
    const vectors = vectorsOf(listAt(body, 'embeddings'));
    if (vectors.length === 0) throw new UpstreamProblem(502, 'The upstream returned no embeddings');
    return embeddingResponse(vectors, upstream, numberAt(body, 'prompt_eval_count'));
  },
};
