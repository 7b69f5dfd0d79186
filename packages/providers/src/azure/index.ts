import { openaiModels } from '../openai-compatible/models.ts';
import type { Provider } from '../provider.ts';

export const azure: Provider = { baseUrl: '', models: openaiModels };
