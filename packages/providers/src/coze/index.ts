import type { Provider } from '../provider.ts';
import { chat } from './chat.ts';

export const coze: Provider = { baseUrl: 'https://api.coze.com', models: [], chat };
