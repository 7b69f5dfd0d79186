import type { Provider } from '../provider.ts';
import { zhipuModels } from './models.ts';

export const zhipu: Provider = { baseUrl: 'https://open.bigmodel.cn', models: zhipuModels };
