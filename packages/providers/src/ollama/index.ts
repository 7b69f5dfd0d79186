import { listAt, numberAt, textAt, UpstreamProblem } from '@headgate/dialects';
import { embeddingResponse, filterVectors, readEmbeddingRequest } from '../embeddings-format.ts';
import { passThrough } from '../openai-compatible/pass-through.ts';
import { dropFields } from '../openai-compatible/vendor-fields.ts';
import type { JsonAdaptor, Provider, Upstream } from '../provider.ts';
import { chat, keyHeader, postRequest } from './chat.ts';
import { ollamaModels } from './models.ts';

export const embeddings: JsonAdaptor = {
  kind: 'convert',
  encode: (body, upstream) => {
    const { texts, dimensions } = readEmbeddingRequest(body);
    return postRequest(upstream, '/api/embed', { model: upstream.model, input: texts, dimensions });
  },
  decode: (body, upstream) => {
    const vectors = filterVectors(listAt(body, 'embeddings'));
    if (vectors.length === 0) throw new UpstreamProblem(502, 'The upstream returned no embeddings');
    return embeddingResponse(vectors, upstream, numberAt(body, 'prompt_eval_count'));
  },
};

/** Ollama also supports OpenAI's dialect, under this path. */
const isCompatible = ({ baseUrl }: Upstream) => baseUrl.endsWith('/v1');

/** Only the admin may set context size and keep_alive. */
const quirks = { drops: dropFields('keep_alive', 'num_ctx', 'options') };

const compatibleChat = passThrough('/chat/completions', { headers: keyHeader, quirks });
const compatibleCompletions = passThrough('/completions', { headers: keyHeader, quirks });
const ownCompletions = passThrough('/v1/completions', { headers: keyHeader, quirks });
const compatibleEmbeddings = passThrough('/embeddings', { headers: keyHeader, quirks });

export const ollama: Provider = {
  baseUrl: 'http://localhost:11434',
  models: ollamaModels,
  chat: (upstream) => (isCompatible(upstream) ? compatibleChat : chat),
  completions: (upstream) => (isCompatible(upstream) ? compatibleCompletions : ownCompletions),
  embeddings: (upstream) => (isCompatible(upstream) ? compatibleEmbeddings : embeddings),
  modelList: {
    request: (upstream) => ({
      method: 'GET',
      url: `${upstream.baseUrl.replace(/\/v1$/, '')}/api/tags`,
      headers: keyHeader(upstream),
    }),
    read: (body) => listAt(body, 'models').flatMap((row) => textAt(row, 'name') || []),
  },
};
