import type { Provider } from '../provider.ts';
import { vertexModels } from './models.ts';

export const vertex: Provider = { baseUrl: '', models: vertexModels };
