import { listAt, numberAt, objectAt, RequestProblem, textAt, UpstreamProblem } from '@headgate/dialects';
import { jsonBody } from '../json-body.ts';
import { bearer, modelListAt, passThrough } from '../openai-compatible/pass-through.ts';
import { extraReasoning, requestFloatVectors, toLegacyFormat } from '../openai-compatible/vendor-fields.ts';
import type {
  JsonAdaptor,
  JsonObject,
  JsonResult,
  PendingResult,
  Provider,
  Upstream,
  UpstreamRequest,
} from '../provider.ts';
import { rankingResponse, readRerankRequest, textDocuments } from '../rerank-format.ts';
import { aliParameterRanges, configuredPlugin, generation, splitSearchSuffix } from './chat.ts';
import { aliModels } from './models.ts';
import { readAliProblem } from './problem.ts';

/** Rerank models before Qwen's use DashScope's native format. */
const textRerank: JsonAdaptor = {
  kind: 'convert',
  encode: (body, upstream) => {
    const { query, texts, topN } = readRerankRequest(body);
    return {
      method: 'POST',
      url: `${upstream.baseUrl}/api/v1/services/rerank/text-rerank/text-rerank`,
      headers: { 'content-type': 'application/json', ...bearer(upstream) },
      body: jsonBody(
        {
          model: upstream.model,
          input: { query, documents: texts },
          parameters: { return_documents: false, top_n: topN },
        },
        upstream,
      ),
    };
  },
  decode: (body, upstream, request) => {
    const reply = rankingResponse(listAt(objectAt(body, 'output'), 'results'), upstream, request);
    const id = textAt(body, 'request_id');
    const total = numberAt(objectAt(body, 'usage'), 'total_tokens');
    const usage = total === undefined ? {} : { usage: { prompt_tokens: total, total_tokens: total } };
    return { reply: { ...(id !== '' && { id }), ...reply, ...usage } };
  },
  readProblem: readAliProblem,
};

const compatibleRerank = passThrough('/compatible-api/v1/reranks', {
  quirks: { patch: textDocuments, readProblem: readAliProblem },
});

const aliRerank = ({ model }: Upstream) => (model.startsWith('qwen') ? compatibleRerank : textRerank);

const pollIntervalMs = 2000;
/** Synchronous models, which are available only at the multimodal chat endpoint. */
const synchronousModels = /^(?:qwen-image|z-image)/;
const rejectedFieldError = ['quality', 'style', 'background', 'output_format', 'output_compression', 'stream'];

/** Requests images as a task: the first response contains a task id for polling. */
export const aliImages: JsonAdaptor = {
  kind: 'convert',
  encode(body, upstream) {
    rejectUnsupported(body);
    const parameters = {
      size: typeof body['size'] === 'string' && body['size'] !== 'auto' ? body['size'].replace('x', '*') : undefined,
      n: body['n'],
      seed: body['seed'],
      negative_prompt: body['negative_prompt'],
    };
    return synchronousModels.test(upstream.model)
      ? post(upstream, 'multimodal-generation/generation', {
          input: { messages: [{ role: 'user', content: [{ text: body['prompt'] }] }] },
          parameters,
        })
      : post(upstream, 'text2image/image-synthesis', { input: { prompt: body['prompt'] }, parameters });
  },
  decode(body, upstream) {
    const output = objectAt(body, 'output');
    const status = textAt(output, 'task_status');
    if (status === 'PENDING' || status === 'RUNNING') return sendAgain(textAt(output, 'task_id'), upstream);
    const problem = readAliProblem(502, body) ?? readAliProblem(502, output);
    if (problem) throw problem;
    return imageResponse([...listAt(output, 'results'), ...imagesInChoices(output)], upstream);
  },
  readProblem: readAliProblem,
};

function rejectUnsupported(body: JsonObject): void {
  const inside = body['response_format'] === 'b64_json' ? 'response_format' : undefined;
  const name =
    inside ??
    rejectedFieldError.find((field) => body[field] != null && body[field] !== false && body[field] !== 'auto');
  if (name !== undefined) throw new RequestProblem(name, `The channel's provider does not support ${name}`);
  if (typeof body['prompt'] !== 'string') throw new RequestProblem('prompt', 'prompt must be text');
}

const post = (upstream: Upstream, service: string, body: JsonObject): UpstreamRequest => ({
  method: 'POST',
  url: `${upstream.baseUrl}/api/v1/services/aigc/${service}`,
  headers: {
    'content-type': 'application/json',
    ...bearer(upstream),
    ...(service.startsWith('text2image') && { 'x-dashscope-async': 'enable' }),
  },
  body: jsonBody({ model: upstream.model, ...body }, upstream),
});

function sendAgain(task: string, upstream: Upstream): PendingResult {
  if (task === '') throw new UpstreamProblem(502, 'The upstream accepted the task but returned no id');
  return {
    next: {
      method: 'GET',
      url: `${upstream.baseUrl}/api/v1/tasks/${encodeURIComponent(task)}`,
      headers: bearer(upstream),
    },
    afterMs: pollIntervalMs,
  };
}

const imagesInChoices = (output: unknown) =>
  listAt(output, 'choices').flatMap((choice) =>
    listAt(objectAt(choice, 'message'), 'content').map((part) => ({ url: textAt(part, 'image') })),
  );

/** Returns the images that succeeded; some of several may fail. */
function imageResponse(results: readonly unknown[], upstream: Upstream): JsonResult {
  const data = results.flatMap((result) => {
    const url = textAt(result, 'url');
    const revised = textAt(result, 'actual_prompt');
    return url === '' ? [] : [{ url, ...(revised !== '' && { revised_prompt: revised }) }];
  });
  if (data.length > 0) return { reply: { created: Math.floor(upstream.now / 1000), data } };
  const problem = results.map((result) => readAliProblem(502, result)).find(Boolean);
  throw problem ?? new UpstreamProblem(502, 'The upstream returned no image');
}

function adaptChat(body: JsonObject, upstream: Upstream): JsonObject {
  const effort = body['reasoning_effort'];
  const { model, enable_search } = splitSearchSuffix(upstream.model);
  return {
    ...toLegacyFormat(body),
    ...(enable_search && { model, enable_search }),
    ...(typeof effort === 'string' &&
      body['enable_thinking'] === undefined && { enable_thinking: effort !== 'none' && effort !== 'minimal' }),
  };
}

const compatible = '/compatible-mode/v1';
const chat = passThrough(`${compatible}/chat/completions`, {
  quirks: {
    patch: adaptChat,
    ranges: aliParameterRanges,
    readProblem: readAliProblem,
    extraFeatures: { hints: ['top_k'], efforts: ['none', 'minimal'], reasoningField: 'enable_thinking' },
  },
});

export const ali: Provider = {
  baseUrl: 'https://dashscope.aliyuncs.com',
  models: aliModels,
  reasoningBeyondLimit: extraReasoning(/qwq|qvq|qwen3|thinking|-r1/i),
  chat: (upstream) => (configuredPlugin(upstream) === '' ? chat : generation),
  embeddings: passThrough(`${compatible}/embeddings`, {
    quirks: { patch: requestFloatVectors, readProblem: readAliProblem },
  }),
  rerank: aliRerank,
  images: aliImages,
  modelList: modelListAt(`${compatible}/models`),
};
