import { openaiModels } from '../openai-compatible/models.ts';
import type { Provider } from '../provider.ts';
import { libraryChat } from './chat.ts';

export const aiproxyLibrary: Provider = { baseUrl: 'https://api.aiproxy.io', models: openaiModels, chat: libraryChat };
