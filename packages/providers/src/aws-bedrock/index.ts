import { listAt, numberAt, objectAt, RequestProblem, UpstreamProblem } from '@headgate/dialects';
import { type EmbeddingRequest, embeddingResponse, filterVectors, readEmbeddingRequest } from '../embeddings-format.ts';
import type { JsonAdaptor, JsonObject, Provider } from '../provider.ts';
import { runtimeRequest } from './access.ts';
import { chatAdaptorFor } from './chat.ts';
import { modelList, modelPath } from './model-ids.ts';
import { awsBedrockModels } from './models.ts';
import { readBedrockProblem } from './problem.ts';

export const embeddings: JsonAdaptor = {
  kind: 'convert',
  encode: (body, upstream) => {
    const request = readEmbeddingRequest(body);
    const nativeBody = upstream.model.includes('cohere.embed') ? cohereBody(request, body) : titanBody(request);
    return runtimeRequest(upstream, modelPath(upstream.model, 'invoke'), nativeBody);
  },
  decode: (body, upstream) => {
    const sent = vectorsIn(body);
    const vectors = filterVectors(sent);
    if (vectors.length === 0 || vectors.length < sent.length) {
      throw new UpstreamProblem(502, 'The upstream returned no embeddings');
    }
    return embeddingResponse(vectors, upstream, numberAt(body, 'inputTextTokenCount'));
  },
  readProblem: readBedrockProblem,
};

function titanBody({ texts, dimensions }: EmbeddingRequest): JsonObject {
  const [inputText] = texts;
  if (texts.length !== 1) throw new RequestProblem('input', 'This model accepts only one input text per request');
  return { inputText, ...(dimensions !== undefined && { dimensions }) };
}

const cohereBody = ({ texts, dimensions }: EmbeddingRequest, body: JsonObject): JsonObject => ({
  texts,
  input_type: typeof body['input_type'] === 'string' ? body['input_type'] : 'search_document',
  embedding_types: ['float'],
  ...(dimensions !== undefined && { output_dimension: dimensions }),
});

/** Titan returns one vector; Cohere returns a list, in some versions nested under the embedding type. */
function vectorsIn(body: unknown): readonly unknown[] {
  const single = listAt(body, 'embedding');
  if (single.length > 0) return [single];
  const plain = listAt(body, 'embeddings');
  return plain.length > 0 ? plain : listAt(objectAt(body, 'embeddings'), 'float');
}

/** Amazon Bedrock: the key contains the region, which determines the host. */
export const awsBedrock: Provider = {
  baseUrl: '',
  models: awsBedrockModels,
  chat: chatAdaptorFor,
  embeddings,
  modelList,
  clientHeaders: ['anthropic-beta'],
};
