import { listAt, numberAt, UpstreamProblem } from '@headgate/dialects';
import { embeddingResponse, readEmbeddingRequest, vectorsOf } from '../embedding-messages.ts';
import type { JsonAdaptor } from '../provider.ts';
import { posted } from './chat.ts';

export const embeddings: JsonAdaptor = {
  kind: 'convert',
  encode: (body, upstream) => {
    const { texts, dimensions } = readEmbeddingRequest(body);
    return posted(upstream, '/api/embed', { model: upstream.model, input: texts, dimensions });
  },
  decode: (body, upstream) => {
    const vectors = vectorsOf(listAt(body, 'embeddings'));
    if (vectors.length === 0) throw new UpstreamProblem(502, 'The upstream returned no embeddings');
    return embeddingResponse(vectors, upstream, numberAt(body, 'prompt_eval_count'));
  },
};
