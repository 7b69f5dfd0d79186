import type { Provider } from '../provider.ts';
import { deeplModels } from './models.ts';

export const deepl: Provider = { baseUrl: 'https://api-free.deepl.com', models: deeplModels };
