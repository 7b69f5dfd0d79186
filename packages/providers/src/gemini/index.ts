import type { Provider } from '../provider.ts';
import { geminiModels } from './models.ts';

export const gemini: Provider = { baseUrl: 'https://generativelanguage.googleapis.com', models: geminiModels };
