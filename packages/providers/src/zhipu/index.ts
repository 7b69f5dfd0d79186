import { RequestProblem } from '@headgate/dialects';
import { requestFloatVectors } from '../openai-compatible/float-vectors.ts';
import { toOlderFormat } from '../openai-compatible/older-format.ts';
import { bearer, modelListAt, passThrough, type VendorDialect } from '../openai-compatible/pass-through.ts';
import type { JsonObject, Provider, Upstream } from '../provider.ts';
import { textDocuments } from '../rerank-format.ts';
import { hs256Token } from '../signing/hs256-token.ts';
import { zhipuModels } from './models.ts';
import { readZhipuProblem } from './problem.ts';

const dayMs = 24 * 60 * 60 * 1000;
const keyWithSecret = /^([^.\s]+)\.([^.\s]+)$/;

/** A two-part key is never sent: a token signed with its secret is sent instead. */
function signedIn(upstream: Upstream) {
  const [, id, secret] = keyWithSecret.exec(upstream.key) ?? [];
  if (id === undefined || secret === undefined) return bearer(upstream);
  // Milliseconds, although the standard uses seconds.
  const claims = { api_key: id, exp: upstream.now + dayMs, timestamp: upstream.now };
  return { authorization: `Bearer ${hs256Token({ sign_type: 'SIGN' }, claims, secret)}` };
}

const adaptChat = (body: JsonObject): JsonObject => ({
  ...toOlderFormat(body),
  ...(typeof body['stop'] === 'string' && { stop: [body['stop']] }),
  ...(typeof body['reasoning_effort'] === 'string' &&
    body['thinking'] === undefined && { thinking: { type: thinkingFor(body['reasoning_effort']) } }),
});

const thinkingFor = (effort: string) => (effort === 'none' || effort === 'minimal' ? 'disabled' : 'enabled');

function adaptImages(body: JsonObject): JsonObject {
  if (body['response_format'] === 'b64_json') {
    throw new RequestProblem('response_format', "The channel's provider does not support response_format b64_json");
  }
  return typeof body['user'] === 'string' ? { user: undefined, user_id: body['user'] } : {};
}

const dialect: VendorDialect = { headers: signedIn, quirks: { readProblem: readZhipuProblem } };
const endpoint = (path: string, quirks: VendorDialect['quirks']) =>
  passThrough(`/api/paas/v4/${path}`, { ...dialect, quirks: { ...dialect.quirks, ...quirks } });

export const zhipu: Provider = {
  baseUrl: 'https://open.bigmodel.cn',
  models: zhipuModels,
  chat: endpoint('chat/completions', {
    patch: adaptChat,
    ranges: { temperature: [0, 1], top_p: [0.01, 1] },
    lacks: { json_schema: /^/ },
    extraFeatures: { efforts: ['none', 'minimal'], thoughtsField: 'reasoning_content' },
  }),
  embeddings: endpoint('embeddings', { patch: requestFloatVectors }),
  rerank: endpoint('rerank', { patch: textDocuments }),
  images: endpoint('images/generations', { patch: adaptImages }),
  modelList: modelListAt('/api/paas/v4/models', dialect),
};
