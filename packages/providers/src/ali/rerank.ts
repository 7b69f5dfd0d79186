import { listAt, numberAt, objectAt, textAt } from '@headgate/dialects';
import { jsonBody } from '../json-body.ts';
import { bearer, passThrough } from '../openai-compatible/pass-through.ts';
import type { JsonAdaptor, Upstream } from '../provider.ts';
import { rankingResponse, readRerankRequest, textDocuments } from '../rerank-format.ts';
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
  decode: (body, upstream, asked) => {
    const reply = rankingResponse(listAt(objectAt(body, 'output'), 'results'), upstream, asked);
    const id = textAt(body, 'request_id');
    const total = numberAt(objectAt(body, 'usage'), 'total_tokens');
    const usage = total === undefined ? {} : { usage: { prompt_tokens: total, total_tokens: total } };
    return { reply: { ...(id !== '' && { id }), ...reply, ...usage } };
  },
  readProblem: readAliProblem,
};

const compatible = passThrough('/compatible-api/v1/reranks', {
  quirks: { patch: textDocuments, readProblem: readAliProblem },
});

export const aliRerank = ({ model }: Upstream) => (model.startsWith('qwen') ? compatible : textRerank);
