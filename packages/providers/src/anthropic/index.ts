import type { Provider } from '../provider.ts';
import { anthropicModels } from './models.ts';

export const anthropic: Provider = { baseUrl: 'https://api.anthropic.com', models: anthropicModels };
