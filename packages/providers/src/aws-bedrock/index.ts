import type { Provider } from '../provider.ts';
import { chatOf } from './chat.ts';
import { embeddings } from './embeddings.ts';
import { modelList } from './model-list.ts';
import { awsBedrockModels } from './models.ts';

/** Amazon Bedrock, whose address is that of the region, which the key tells. */
export const awsBedrock: Provider = {
  baseUrl: '',
  models: awsBedrockModels,
  chat: chatOf,
  embeddings,
  modelList,
  clientHeaders: ['anthropic-beta'],
};
