import { RequestProblem } from '@headgate/dialects';
import { dropFields } from '../openai-compatible/dropped-fields.ts';
import { requestFloatVectors } from '../openai-compatible/float-vectors.ts';
import { modelListAt, passThrough } from '../openai-compatible/pass-through.ts';
import { withSystemRole } from '../openai-compatible/system-role.ts';
import type { JsonObject, Provider, Upstream } from '../provider.ts';
import { textDocuments } from '../rerank-format.ts';
import { accessToken, hasKeyPair } from './access-token.ts';
import { wenxinChat } from './chat.ts';
import { wenxinEmbeddings } from './embeddings.ts';
import { baiduModels } from './models.ts';

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
 * A two-part key uses version 1, which Baidu is shutting down; any other key uses version 2, which has OpenAI's
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
