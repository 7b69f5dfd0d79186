import type { Provider } from '../provider.ts';
import { sparkModels } from './models.ts';

export const spark: Provider = { baseUrl: '', models: sparkModels };
