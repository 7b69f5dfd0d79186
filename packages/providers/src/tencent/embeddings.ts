import { listAt, numberAt, objectAt, RequestProblem, UpstreamProblem } from '@headgate/dialects';
import { embeddingResponse, readEmbeddingRequest, vectorsOf } from '../embeddings-format.ts';
import type { JsonAdaptor } from '../provider.ts';
import { readTencentProblem } from './problem.ts';
import { signedRequest } from './signed-request.ts';

export const hunyuanEmbeddings: JsonAdaptor = {
  kind: 'convert',
  encode(body, upstream) {
    const { texts, dimensions } = readEmbeddingRequest(body);
    if (dimensions !== undefined) {
      throw new RequestProblem('dimensions', "The channel's provider does not support dimensions");
    }
    return signedRequest('GetEmbedding', { InputList: texts }, upstream);
  },
  decode(body, upstream) {
    const problem = readTencentProblem(200, body);
    if (problem) throw problem;
    const response = objectAt(body, 'Response');
    const rows = listAt(response, 'Data').toSorted((one, other) => placeOf(one) - placeOf(other));
    const vectors = vectorsOf(rows.map((row) => listAt(row, 'Embedding')));
    if (vectors.length === 0) throw new UpstreamProblem(502, 'The upstream returned no vector');
    const usage = objectAt(response, 'Usage');
    return embeddingResponse(vectors, upstream, numberAt(usage, 'PromptTokens') ?? numberAt(usage, 'TotalTokens'));
  },
  readProblem: readTencentProblem,
};

const placeOf = (row: unknown) => numberAt(row, 'Index') ?? 0;
