import type { Provider } from '../provider.ts';

export const coze: Provider = { baseUrl: 'https://api.coze.com', models: [] };
