import {
  listAt,
  numberAt,
  objectAt,
  RequestProblem,
  requiredText,
  textAt,
  UpstreamProblem,
  writeOpenaiUsage,
} from '@headgate/dialects';
import { defaultProblem } from '../default-problem.ts';
import { jsonBody } from '../json-body.ts';
import { bearer, openaiEndpoints, pickOpenaiPaths, type VendorDialect } from '../openai-compatible/pass-through.ts';
import { dropFields } from '../openai-compatible/vendor-fields.ts';
import type { JsonAdaptor, JsonObject, ModelListCall, Provider, Upstream } from '../provider.ts';
import { cloudflareModels } from './models.ts';

/**
 * Completions adaptor: Cloudflare supports OpenAI's path for chat only, so a bare prompt is sent to the model's own
 * endpoint.
 */
export const completions: JsonAdaptor = {
  kind: 'convert',
  drops: dropFields('stop', 'logit_bias', 'user'),
  encode: (body, upstream) => ({
    method: 'POST',
    url: accountBaseUrl(upstream) + (isGateway(upstream) ? '/' : '/run/') + modelPath(upstream),
    headers: { 'content-type': 'application/json', ...bearer(upstream) },
    body: jsonBody(encodeBody(body), upstream),
  }),
  decode: (body, upstream) => {
    const result = objectAt(body, 'result');
    const { response: text } = result;
    if (typeof text !== 'string') throw defaultProblem(502, body, 'The upstream returned no text');
    const usage = usageOf(objectAt(result, 'usage'));
    return {
      reply: {
        id: `cmpl-${upstream.nonce}`,
        object: 'text_completion',
        created: Math.floor(upstream.now / 1000),
        model: upstream.requestedModel,
        choices: [{ index: 0, text, logprobs: null, finish_reason: 'stop' }],
        ...(usage && { usage: writeOpenaiUsage(usage) }),
      },
      ...(usage && { usage }),
    };
  },
};

/** Path of a model; names like `@cf/meta/llama-3` contain several segments. */
function modelPath({ model }: Upstream): string {
  const steps = model.split('/');
  if (steps.includes('..') || steps.includes('.')) throw new UpstreamProblem(404, 'Model not found');
  return steps.map((step) => encodeURIComponent(step).replace('%40', '@')).join('/');
}

const carried = ['max_tokens', 'temperature', 'top_p', 'top_k', 'seed', 'frequency_penalty', 'presence_penalty'];
const rejectedFieldError = ['stream', 'suffix', 'echo', 'logprobs'];

function encodeBody(body: JsonObject): JsonObject {
  const wanted =
    rejectedFieldError.find((name) => body[name] != null && body[name] !== false) ?? (isMany(body) ? 'n' : undefined);
  if (wanted !== undefined) throw new RequestProblem(wanted, `The channel's provider does not support ${wanted}`);
  const settings = carried.filter((name) => body[name] != null).map((name) => [name, body[name]]);
  return { prompt: requiredText(body['prompt'], 'prompt'), ...Object.fromEntries(settings) };
}

const isMany = ({ n, best_of }: JsonObject) => [n, best_of].some((count) => count != null && count !== 1);

function usageOf(counts: JsonObject) {
  const prompt = numberAt(counts, 'prompt_tokens');
  return prompt === undefined
    ? undefined
    : { promptTokens: prompt, completionTokens: numberAt(counts, 'completion_tokens') ?? 0 };
}

const gateway = /^https:\/\/gateway\.ai\.cloudflare\.com\/v1\/([^/]+)\/[^/]+\/workers-ai$/;

const isGateway = ({ baseUrl }: Upstream) => gateway.test(baseUrl);

/** Base URL of an account's models; a gateway URL contains the account. */
function accountBaseUrl(upstream: Upstream): string {
  if (isGateway(upstream)) return upstream.baseUrl;
  return `${upstream.baseUrl}/client/v4/accounts/${encodeURIComponent(accountOf(upstream))}/ai`;
}

/** Model list URL; a gateway has no model list, but its account does. */
function modelListUrl(upstream: Upstream): string {
  const account = gateway.exec(upstream.baseUrl)?.[1];
  const home = account ? `https://api.cloudflare.com/client/v4/accounts/${account}/ai` : accountBaseUrl(upstream);
  return `${home}/models/search?per_page=1000`;
}

function accountOf({ config }: Upstream): string {
  const account = config['user_id'];
  if (account) return account;
  throw new UpstreamProblem(403, "The channel's account ID is missing");
}

const dialect: VendorDialect = {
  paths: pickOpenaiPaths('chat', 'embeddings'),
  address: (upstream, path) => accountBaseUrl(upstream) + path,
};

const modelList: ModelListCall = {
  request: (upstream) => ({ method: 'GET', url: modelListUrl(upstream), headers: bearer(upstream) }),
  read: (body) => listAt(body, 'result').flatMap(offered),
};

/** Name of a listed model for text or embeddings; models for images, audio and translation are skipped. */
function offered(row: unknown): readonly string[] {
  const isOurs = /^text (generation|embeddings)$/i.test(textAt(objectAt(row, 'task'), 'name'));
  return isOurs && textAt(row, 'name') !== '' ? [textAt(row, 'name')] : [];
}

export const cloudflare: Provider = {
  baseUrl: 'https://api.cloudflare.com',
  models: cloudflareModels,
  ...openaiEndpoints(dialect),
  completions,
  modelList,
};
