import type { Provider } from '../provider.ts';
import { baiduModels } from './models.ts';

export const baidu: Provider = { baseUrl: 'https://aip.baidubce.com', models: baiduModels };
