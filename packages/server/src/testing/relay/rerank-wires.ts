import type { ReceivedRequest, UpstreamHandler } from '@headgate/testkit';
import { reply } from '@headgate/testkit';
import { expect } from 'vitest';

export const query = 'What rains?';
export const documents = ['The sun shines', 'It rains in Oslo', 'It snows'] as const;

/** How a provider is called for a rerank request, and how it responds. */
export interface RerankWire {
  readonly name: string;
  readonly type: number;
  readonly model: string;
  readonly key: string;
  readonly path: string;
  /** Expected body fields for a request that returns two of three documents. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly respond: UpstreamHandler;
  /** Reported prompt tokens or search units. */
  readonly reported: { readonly prompt: number } | { readonly units: number };
}

const scores = [
  { index: 1, relevance_score: 0.98 },
  { index: 2, relevance_score: 0.12 },
];
const withTexts = scores.map((row) => ({ ...row, document: { text: documents[row.index] } }));
const plainBody = { query, documents, top_n: 2, return_documents: true };
const tokens = { prompt: 40 } as const;
const key = 'rank-key-123456';

/** Vendors that use the client's own format; only the path and the position of the usage differ. */
const passthroughWire = (name: string, type: number, path: string, usage: object): RerankWire => ({
  name,
  type,
  path,
  key,
  model: 'bge-reranker-v2-m3',
  body: { model: 'bge-reranker-v2-m3', ...plainBody },
  respond: reply({ id: 'rank-1', results: withTexts, ...usage }),
  reported: tokens,
});

export const rerankWires: readonly RerankWire[] = [
  passthroughWire('a server of Jina’s words', 8, '/v1/rerank', { model: 'm', usage: { total_tokens: 40 } }),
  passthroughWire('Ruyi', 46, '/v1/rerank', { usage: { prompt_tokens: 40, total_tokens: 40 } }),
  passthroughWire('SiliconFlow', 44, '/v1/rerank', { meta: { tokens: { input_tokens: 40, output_tokens: 0 } } }),
  passthroughWire('together.ai', 39, '/v1/rerank', {
    object: 'rerank',
    usage: { prompt_tokens: 40, completion_tokens: 0, total_tokens: 40 },
  }),
  passthroughWire('Novita', 41, '/rerank', { usage: { prompt_tokens: 40, total_tokens: 40 } }),
  passthroughWire('Zhipu', 16, '/api/paas/v4/rerank', { created: 1, usage: { prompt_tokens: 40, total_tokens: 40 } }),
  {
    ...passthroughWire('OpenRouter', 20, '/v1/rerank', { usage: { search_units: 1, total_tokens: 40 } }),
    reported: { units: 1000 },
  },
  {
    ...passthroughWire('Baidu', 15, '/v2/rerank', {
      object: 'reranker_list',
      usage: { prompt_tokens: 40, total_tokens: 40 },
    }),
    key: 'bce-v3/ALTAK-1/2',
    body: { model: 'bge-reranker-v2-m3', query, documents, top_n: 2 },
  },
  {
    ...passthroughWire('Alibaba’s Qwen', 17, '/compatible-api/v1/reranks', {
      object: 'list',
      usage: { total_tokens: 40 },
    }),
    model: 'qwen3-rerank',
    body: { model: 'qwen3-rerank', ...plainBody },
  },
  {
    name: 'Alibaba’s GTE',
    type: 17,
    model: 'gte-rerank-v2',
    key,
    path: '/api/v1/services/rerank/text-rerank/text-rerank',
    body: {
      model: 'gte-rerank-v2',
      input: { query, documents },
      parameters: { return_documents: false, top_n: 2 },
    },
    respond: reply({ output: { results: scores }, usage: { total_tokens: 40 }, request_id: 'rank-1' }),
    reported: tokens,
  },
  {
    name: 'Cohere',
    type: 35,
    model: 'rerank-v3.5',
    key,
    path: '/v2/rerank',
    body: { model: 'rerank-v3.5', query, documents, top_n: 2 },
    respond: reply({
      id: 'rank-1',
      results: scores,
      meta: { api_version: { version: '2' }, billed_units: { search_units: 1 } },
    }),
    reported: { units: 1000 },
  },
];

export function expectRerankRequest(wire: RerankWire, request: ReceivedRequest | undefined): void {
  expect(request).toMatchObject({ method: 'POST', path: wire.path });
  expect(request?.body).toEqual(wire.body);
  expect(request?.headers.authorization).toBe(`Bearer ${wire.key}`);
}
