import { listAt, numberAt, objectAt, RequestProblem, textAt, UpstreamProblem } from '@headgate/dialects';
import { embeddingResponse, filterVectors, readEmbeddingRequest } from '../embeddings-format.ts';
import { jsonBody } from '../json-body.ts';
import { modelListAt, passThrough } from '../openai-compatible/pass-through.ts';
import { dropFields, requestFloatVectors, withSystemRole } from '../openai-compatible/vendor-fields.ts';
import type { CredentialExchange, JsonAdaptor, JsonObject, Provider, Upstream } from '../provider.ts';
import { textDocuments } from '../rerank-format.ts';
import { readBaiduProblem, wenxinChat, wenxinUrl } from './chat.ts';
import { baiduModels } from './models.ts';

const hasKeyPair = ({ key }: Upstream) => key.includes('|');

/** Version 1 exchanges the key pair for a token that is valid for a month. */
export const accessToken: CredentialExchange = {
  request(upstream) {
    if (!hasKeyPair(upstream)) return undefined;
    const [id = '', secret = ''] = upstream.key.split('|').map((part) => part.trim());
    const query = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret });
    return { method: 'POST', url: `${upstream.baseUrl}/oauth/2.0/token?${query}`, headers: {} };
  },
  read(body) {
    const credential = textAt(body, 'access_token');
    if (credential !== '') return { credential, seconds: numberAt(body, 'expires_in') ?? monthSeconds };
    const message = textAt(body, 'error_description') || 'The upstream returned no access token';
    throw new UpstreamProblem(401, message, textAt(body, 'error') || null);
  },
};

const monthSeconds = 30 * 24 * 60 * 60;

export const wenxinEmbeddings: JsonAdaptor = {
  kind: 'convert',
  encode(body, upstream) {
    const { texts, dimensions } = readEmbeddingRequest(body);
    if (dimensions !== undefined) {
      throw new RequestProblem('dimensions', "The channel's provider does not support dimensions");
    }
    return {
      method: 'POST',
      url: wenxinUrl('embeddings', upstream),
      headers: { 'content-type': 'application/json' },
      body: jsonBody({ input: texts }, upstream),
    };
  },
  decode(body, upstream) {
    const problem = readBaiduProblem(200, body);
    if (problem) throw problem;
    const rows = listAt(body, 'data').toSorted((one, other) => indexOf(one) - indexOf(other));
    const vectors = filterVectors(rows.map((row) => listAt(row, 'embedding')));
    if (vectors.length === 0) throw new UpstreamProblem(502, 'The upstream returned no vector');
    return embeddingResponse(vectors, upstream, numberAt(objectAt(body, 'usage'), 'prompt_tokens'));
  },
  readProblem: readBaiduProblem,
};

const indexOf = (row: unknown) => numberAt(row, 'index') ?? 0;

const oldHost = 'https://aip.baidubce.com';
const newHost = 'https://qianfan.baidubce.com';

/** Version 2 has a separate host; a base URL set by the admin is not replaced. */
const address = ({ baseUrl }: Upstream, path: string) => (baseUrl === oldHost ? newHost : baseUrl) + path;

/** Version 2 uses lowercase names for the same models. */
const smallLetters = (_body: JsonObject, { model }: Upstream): JsonObject =>
  /^(?:ERNIE|Embedding)/.test(model) ? { model: model.toLowerCase() } : {};

const chat = passThrough('/v2/chat/completions', {
  address,
  quirks: { patch: (body, upstream) => ({ ...smallLetters(body, upstream), ...withSystemRole(body) }) },
});
const embeddings = passThrough('/v2/embeddings', {
  address,
  quirks: { patch: (body, upstream) => ({ ...smallLetters(body, upstream), ...requestFloatVectors(body) }) },
});
const rerank = passThrough('/v2/rerank', {
  address,
  quirks: { patch: textDocuments, drops: dropFields('return_documents') },
});
const list = modelListAt('/v2/models', { address });

/**
 * A two-part key uses version 1, which Baidu is shutting down; any other key uses version 2, which supports OpenAI's
 * dialect.
 */
export const baidu: Provider = {
  baseUrl: oldHost,
  models: baiduModels,
  chat: (upstream) => (hasKeyPair(upstream) ? wenxinChat : chat),
  embeddings: (upstream) => (hasKeyPair(upstream) ? wenxinEmbeddings : embeddings),
  rerank: (upstream) => (hasKeyPair(upstream) ? undefined : rerank),
  credential: accessToken,
  modelList: {
    ...list,
    request(upstream) {
      if (!hasKeyPair(upstream)) return list.request(upstream);
      throw new RequestProblem('key', 'Baidu lists models only for version 2 API keys');
    },
  },
};
