import type { Provider } from '../provider.ts';
import { cohereModels } from './models.ts';

export const cohere: Provider = { baseUrl: 'https://api.cohere.ai', models: cohereModels };
