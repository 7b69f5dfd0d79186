import type { Provider } from '../provider.ts';
import { aliModels } from './models.ts';

export const ali: Provider = { baseUrl: 'https://dashscope.aliyuncs.com', models: aliModels };
