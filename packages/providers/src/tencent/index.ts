import { listAt, numberAt, objectAt, RequestProblem, UpstreamProblem } from '@headgate/dialects';
import { embeddingResponse, filterVectors, readEmbeddingRequest } from '../embeddings-format.ts';
import { modelListAt, passThrough } from '../openai-compatible/pass-through.ts';
import { requestFloatVectors, toLegacyFormat } from '../openai-compatible/vendor-fields.ts';
import type { JsonAdaptor, Provider, Upstream } from '../provider.ts';
import { hunyuanChat, readTencentProblem } from './chat.ts';
import { tencentModels } from './models.ts';
import { hasSecretKey, signedRequest } from './signed-request.ts';

const cloudHost = 'https://hunyuan.tencentcloudapi.com';
const dialectHost = 'https://api.hunyuan.cloud.tencent.com';

/** OpenAI's dialect has a separate host; a base URL set by the admin is not replaced. */
const address = ({ baseUrl }: Upstream, path: string) => (baseUrl === cloudHost ? dialectHost : baseUrl) + path;

const chat = passThrough('/v1/chat/completions', { address, quirks: { patch: toLegacyFormat } });
const embeddings = passThrough('/v1/embeddings', { address, quirks: { patch: requestFloatVectors } });
const list = modelListAt('/v1/models', { address });

/** A multi-part key signs Tencent Cloud requests; any other key uses OpenAI's dialect. */
export const tencent: Provider = {
  baseUrl: cloudHost,
  models: tencentModels,
  chat: (upstream) => (hasSecretKey(upstream) ? hunyuanChat : chat),
  embeddings: (upstream) => (hasSecretKey(upstream) ? hunyuanEmbeddings : embeddings),
  modelList: {
    ...list,
    request(upstream) {
      if (!hasSecretKey(upstream)) return list.request(upstream);
      throw new RequestProblem('key', 'Hunyuan lists models only for a single-part API key');
    },
  },
};

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
    const rows = listAt(response, 'Data').toSorted((one, other) => indexOf(one) - indexOf(other));
    const vectors = filterVectors(rows.map((row) => listAt(row, 'Embedding')));
    if (vectors.length === 0) throw new UpstreamProblem(502, 'The upstream returned no vector');
    const usage = objectAt(response, 'Usage');
    return embeddingResponse(vectors, upstream, numberAt(usage, 'PromptTokens') ?? numberAt(usage, 'TotalTokens'));
  },
  readProblem: readTencentProblem,
};

const indexOf = (row: unknown) => numberAt(row, 'Index') ?? 0;
