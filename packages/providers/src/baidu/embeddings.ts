import { listAt, numberAt, objectAt, RequestProblem, UpstreamProblem } from '@headgate/dialects';
import { embeddingResponse, readEmbeddingRequest, vectorsOf } from '../embeddings-format.ts';
import { jsonBody } from '../json-body.ts';
import type { JsonAdaptor } from '../provider.ts';
import { wenxinAddress } from './address.ts';
import { readBaiduProblem } from './problem.ts';

export const wenxinEmbeddings: JsonAdaptor = {
  kind: 'convert',
  encode(body, upstream) {
    const { texts, dimensions } = readEmbeddingRequest(body);
    if (dimensions !== undefined) {
      throw new RequestProblem('dimensions', "The channel's provider does not support dimensions");
    }
    return {
      method: 'POST',
      url: wenxinAddress('embeddings', upstream),
      headers: { 'content-type': 'application/json' },
      body: jsonBody({ input: texts }, upstream),
    };
  },
  decode(body, upstream) {
    const problem = readBaiduProblem(200, body);
    if (problem) throw problem;
    const rows = listAt(body, 'data').toSorted((one, other) => placeOf(one) - placeOf(other));
    const vectors = vectorsOf(rows.map((row) => listAt(row, 'embedding')));
    if (vectors.length === 0) throw new UpstreamProblem(502, 'The upstream returned no vector');
    return embeddingResponse(vectors, upstream, numberAt(objectAt(body, 'usage'), 'prompt_tokens'));
  },
  readProblem: readBaiduProblem,
};

const placeOf = (row: unknown) => numberAt(row, 'index') ?? 0;
