import { listAt, textAt } from '@headgate/dialects';
import { bearer, passThrough } from '../openai-compatible/pass-through.ts';
import type { ModelListCall, Provider, Upstream } from '../provider.ts';
import { chat } from './chat.ts';
import { embeddings } from './embeddings.ts';
import { cohereModels } from './models.ts';
import { rerank } from './rerank.ts';

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
