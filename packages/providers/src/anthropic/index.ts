import { readModelIds } from '../openai-compatible/pass-through.ts';
import type { Provider } from '../provider.ts';
import { chat, keyHeaders } from './chat.ts';
import { messages } from './messages-pass.ts';
import { anthropicModels } from './models.ts';

export const anthropic: Provider = {
  baseUrl: 'https://api.anthropic.com',
  models: anthropicModels,
  chat,
  messages,
  clientHeaders: ['anthropic-*'],
  modelList: {
    request: (upstream) => ({
      method: 'GET',
      url: `${upstream.baseUrl}/v1/models?limit=1000`,
      headers: keyHeaders(upstream),
    }),
    read: readModelIds,
  },
};
