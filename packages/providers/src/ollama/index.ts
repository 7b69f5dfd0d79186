import type { Provider } from '../provider.ts';
import { ollamaModels } from './models.ts';

export const ollama: Provider = { baseUrl: 'http://localhost:11434', models: ollamaModels };
