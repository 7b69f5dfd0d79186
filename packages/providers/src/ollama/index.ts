import { listAt, textAt } from '@headgate/dialects';
import { dropFields } from '../openai-compatible/dropped-fields.ts';
import { passThrough } from '../openai-compatible/pass-through.ts';
import type { Provider, Upstream } from '../provider.ts';
import { chat, keyHeader } from './chat.ts';
import { embeddings } from './embeddings.ts';
import { ollamaModels } from './models.ts';

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
