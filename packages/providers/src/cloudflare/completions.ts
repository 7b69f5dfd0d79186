import {
  numberAt,
  objectAt,
  RequestProblem,
  requiredText,
  UpstreamProblem,
  writeOpenaiUsage,
} from '@headgate/dialects';
import { defaultProblem } from '../default-problem.ts';
import { jsonBody } from '../json-body.ts';
import { dropFields } from '../openai-compatible/dropped-fields.ts';
import { bearer } from '../openai-compatible/pass-through.ts';
import type { JsonAdaptor, JsonObject, Upstream } from '../provider.ts';
import { accountBaseUrl, isGateway } from './address.ts';

/**
 * Completions adaptor: Cloudflare has OpenAI's path for chat only, so a bare prompt is sent to the model's own
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
