import { bearer, passThrough } from '../openai-compatible/pass-through.ts';
import { toLegacyFormat } from '../openai-compatible/vendor-fields.ts';
import type { JsonObject, Provider, Upstream } from '../provider.ts';
import { sparkModels } from './models.ts';
import { apiVersion, httpHost, modelDomain, sparkInBandError, sparkSocket } from './socket-chat.ts';

/** `APPID|APISecret|APIKey` becomes `APIKey:APISecret`; any other key is used as the password. */
function password(upstream: Upstream) {
  const parts = upstream.key.split('|').map((part) => part.trim());
  return parts.length < 3 ? bearer(upstream) : { authorization: `Bearer ${parts[2]}:${parts[1]}` };
}

/** Reasoning models have a separate API. */
const address = ({ baseUrl, model }: Upstream, path: string) =>
  baseUrl + (/^(?:x1|spark-x)/.test(model) ? path.replace('/v1/', '/v2/') : path);

/** Adds Spark's fields to the request; without this option, tool calls are not returned as a list. */
const adaptForSpark = (body: JsonObject, upstream: Upstream): JsonObject => ({
  ...toLegacyFormat(body),
  model: modelDomain(upstream),
  ...(Array.isArray(body['tools']) && body['tools'].length > 0 && { tool_calls_switch: true }),
});

const http = passThrough('/v1/chat/completions', {
  address,
  headers: password,
  quirks: { patch: adaptForSpark, hiddenError: sparkInBandError },
});

const wantsSocket = (upstream: Upstream) => apiVersion(upstream) !== '' && upstream.key.split('|').length === 3;

/** OpenAI's dialect, or the native dialect on a WebSocket when the channel sets an API version. */
export const spark: Provider = {
  baseUrl: httpHost,
  models: sparkModels,
  chat: (upstream) => (wantsSocket(upstream) ? sparkSocket : http),
};
