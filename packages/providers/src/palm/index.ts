import type { Provider } from '../provider.ts';
import { chat } from './chat.ts';
import { palmModels } from './models.ts';

export const palm: Provider = { baseUrl: 'https://generativelanguage.googleapis.com', models: palmModels, chat };
