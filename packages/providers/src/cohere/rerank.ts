import { isObject, listAt, objectAt, textAt } from '@headgate/dialects';
import { jsonBody } from '../json-body.ts';
import { bearer } from '../openai-compatible/pass-through.ts';
import type { JsonAdaptor } from '../provider.ts';
import { rankingResponse, readRerankRequest } from '../rerank-format.ts';

/** Cohere's rerank, version 2: accepts only texts and does not return them. */
export const rerank: JsonAdaptor = {
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
  decode: (body, upstream, asked) => {
    const id = textAt(body, 'id');
    const { results, ...beside } = rankingResponse(listAt(body, 'results'), upstream, asked);
    const meta = isObject(body) && isObject(body['meta']) ? { meta: objectAt(body, 'meta') } : {};
    return { reply: { ...(id !== '' && { id }), ...beside, results, ...meta } };
  },
};
