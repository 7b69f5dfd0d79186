import type { Provider } from '../provider.ts';
import { tencentModels } from './models.ts';

export const tencent: Provider = { baseUrl: 'https://hunyuan.tencentcloudapi.com', models: tencentModels };
