import type { Provider } from '../provider.ts';
import { chatOf } from './chat.ts';
import { embeddings } from './embeddings.ts';
import { modelList } from './model-list.ts';
import { awsBedrockModels } from './models.ts';

/** Amazon Bedrock: the key contains the region, which determines the host. */
export const awsBedrock: Provider = {
  baseUrl: '',
  models: awsBedrockModels,
  chat: chatOf,
  embeddings,
  modelList,
  clientHeaders: ['anthropic-beta'],
};
