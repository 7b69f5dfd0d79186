import type { Provider } from '../provider.ts';

export const proxy: Provider = { baseUrl: '', models: [], isProxy: true };
