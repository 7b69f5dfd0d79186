export type { Provider } from './provider.ts';
export { providers } from './registry.ts';
