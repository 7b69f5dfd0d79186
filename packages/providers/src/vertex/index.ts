import type { Provider } from '../provider.ts';
import { chatOf, generateContentOf, messagesOf } from './chat.ts';
import { credential } from './credential.ts';
import { embeddings } from './embeddings.ts';
import { images } from './images.ts';
import { modelList } from './model-list.ts';
import { vertexModels } from './models.ts';

/** Vertex AI: the key contains the region, which determines the host. */
export const vertex: Provider = {
  baseUrl: '',
  models: vertexModels,
  chat: chatOf,
  messages: messagesOf,
  generateContent: generateContentOf,
  embeddings,
  images,
  credential,
  modelList,
  clientHeaders: ['anthropic-beta'],
};
