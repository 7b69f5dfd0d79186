import type { Provider } from '../provider.ts';
import { cloudflareModels } from './models.ts';

export const cloudflare: Provider = { baseUrl: 'https://api.cloudflare.com', models: cloudflareModels };
