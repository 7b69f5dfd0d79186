import { objectAt, RequestProblem, textAt, UpstreamProblem } from '@headgate/dialects';
import { bearer, modelListAt, passThrough, type VendorDialect } from '../openai-compatible/pass-through.ts';
import { requestFloatVectors, toLegacyFormat } from '../openai-compatible/vendor-fields.ts';
import type { JsonObject, Provider, Upstream } from '../provider.ts';
import { textDocuments } from '../rerank-format.ts';
import { hs256Token } from '../signing/jwt.ts';
import { zhipuModels } from './models.ts';

/** Codes with a misleading status, such as 429 for an exhausted account. */
const statuses: Readonly<Record<string, number>> = {
  '1000': 401,
  '1001': 401,
  '1002': 401,
  '1003': 401,
  '1004': 401,
  '1112': 403,
  '1113': 402,
};

function readZhipuProblem(_status: number, body: unknown): UpstreamProblem | undefined {
  const error = objectAt(body, 'error');
  const code = textAt(error, 'code');
  const status = statuses[code];
  if (status === undefined) return undefined;
  return new UpstreamProblem(status, textAt(error, 'message') || `The upstream returned code ${code}`, code);
}

const dayMs = 24 * 60 * 60 * 1000;
const keyWithSecret = /^([^.\s]+)\.([^.\s]+)$/;

/** A two-part key is never sent; a token signed with its secret is sent instead. */
function signedIn(upstream: Upstream) {
  const [, id, secret] = keyWithSecret.exec(upstream.key) ?? [];
  if (id === undefined || secret === undefined) return bearer(upstream);
  // In milliseconds, although the standard uses seconds.
  const claims = { api_key: id, exp: upstream.now + dayMs, timestamp: upstream.now };
  return { authorization: `Bearer ${hs256Token({ sign_type: 'SIGN' }, claims, secret)}` };
}

const adaptChat = (body: JsonObject): JsonObject => ({
  ...toLegacyFormat(body),
  ...(typeof body['stop'] === 'string' && { stop: [body['stop']] }),
  ...(typeof body['reasoning_effort'] === 'string' &&
    body['thinking'] === undefined && { thinking: { type: thinkingSettings(body['reasoning_effort']) } }),
});

const thinkingSettings = (effort: string) => (effort === 'none' || effort === 'minimal' ? 'disabled' : 'enabled');

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
    extraFeatures: { efforts: ['none', 'minimal'], reasoningField: 'thinking', thoughtsField: 'reasoning_content' },
  }),
  embeddings: endpoint('embeddings', { patch: requestFloatVectors }),
  rerank: endpoint('rerank', { patch: textDocuments }),
  images: endpoint('images/generations', { patch: adaptImages }),
  modelList: modelListAt('/api/paas/v4/models', dialect),
};
