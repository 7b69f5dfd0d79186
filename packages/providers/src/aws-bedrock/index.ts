import type { Provider } from '../provider.ts';
import { awsBedrockModels } from './models.ts';

export const awsBedrock: Provider = { baseUrl: '', models: awsBedrockModels };
