import { isObject, listAt, numberAt, objectAt, textAt, UpstreamProblem } from '@headgate/dialects';
import { embeddingResponse, filterVectors, readEmbeddingRequest } from '../embeddings-format.ts';
import { jsonBody } from '../json-body.ts';
import { bearer, passThrough } from '../openai-compatible/pass-through.ts';
import type { JsonAdaptor, ModelListCall, Provider, Upstream } from '../provider.ts';
import { rankingResponse, readRerankRequest } from '../rerank-format.ts';
import { chat } from './chat.ts';
import { cohereModels } from './models.ts';

export const embeddings: JsonAdaptor = {
  kind: 'convert',
  encode: (body, upstream) => {
    const { texts, dimensions } = readEmbeddingRequest(body);
    return {
      method: 'POST',
      url: `${upstream.baseUrl}/v2/embed`,
      headers: { 'content-type': 'application/json', ...bearer(upstream) },
      body: jsonBody(
        {
          model: upstream.model,
          texts,
          // Default purpose, which Cohere's clients send but OpenAI's do not.
          input_type: typeof body['input_type'] === 'string' ? body['input_type'] : 'search_document',
          embedding_types: ['float'],
          output_dimension: dimensions,
        },
        upstream,
      ),
    };
  },
  decode: (body, upstream) => {
    const vectors = filterVectors(listAt(objectAt(body, 'embeddings'), 'float'));
    if (vectors.length === 0) throw new UpstreamProblem(502, 'The upstream returned no embeddings');
    const tokens = numberAt(objectAt(objectAt(body, 'meta'), 'billed_units'), 'input_tokens');
    return embeddingResponse(vectors, upstream, tokens);
  },
};

/** Cohere's rerank, version 2: accepts only texts and does not return them. */
const rerank: JsonAdaptor = {
  kind: 'convert',
  drops: (body) => (body['max_chunks_per_doc'] == null ? [] : ['max_chunks_per_doc']),
  encode: (body, upstream) => {
    const { query, texts, topN } = readRerankRequest(body);
    return {
      method: 'POST',
      url: `${upstream.baseUrl.replace(/\/compatibility$/, '')}/v2/rerank`,
      headers: { 'content-type': 'application/json', ...bearer(upstream) },
      body: jsonBody(
        {
          model: upstream.model,
          query,
          documents: texts,
          top_n: topN,
          max_tokens_per_doc: body['max_tokens_per_doc'] ?? undefined,
        },
        upstream,
      ),
    };
  },
  decode: (body, upstream, request) => {
    const id = textAt(body, 'id');
    const { results, ...otherFields } = rankingResponse(listAt(body, 'results'), upstream, request);
    const meta = isObject(body) && isObject(body['meta']) ? { meta: objectAt(body, 'meta') } : {};
    return { reply: { ...(id !== '' && { id }), ...otherFields, results, ...meta } };
  },
};

/** Cohere also supports OpenAI's dialect, at a separate URL. */
const isCompatible = ({ baseUrl }: Upstream) => baseUrl.endsWith('/compatibility');

const compatibleChat = passThrough('/v1/chat/completions', { quirks: { rejectsStreamOptions: true } });
const compatibleEmbeddings = passThrough('/v1/embeddings');

const modelList: ModelListCall = {
  request: (upstream) => ({
    method: 'GET',
    url: `${upstream.baseUrl.replace(/\/compatibility$/, '')}/v1/models?page_size=1000`,
    headers: bearer(upstream),
  }),
  read: (body) => listAt(body, 'models').flatMap(offered),
};

/** Name of a listed model for chat, embeddings or reranking; models that classify or transcribe are skipped. */
function offered(row: unknown): readonly string[] {
  const name = textAt(row, 'name');
  const endpoints = listAt(row, 'endpoints');
  return name !== '' && ['chat', 'embed', 'rerank'].some((kind) => endpoints.includes(kind)) ? [name] : [];
}

export const cohere: Provider = {
  baseUrl: 'https://api.cohere.ai',
  models: cohereModels,
  chat: (upstream) => (isCompatible(upstream) ? compatibleChat : chat),
  embeddings: (upstream) => (isCompatible(upstream) ? compatibleEmbeddings : embeddings),
  rerank,
  ranksBySearch: true,
  modelList,
};
