import { limitNames } from './read-outline.ts';

/** Fields that decide what is allowed, asked for and held. */
export const judgedFields: readonly string[] = [
  ...limitNames,
  'model',
  'messages',
  'input',
  'prompt',
  'suffix',
  'echo',
  'prediction',
  'functions',
  'response_format',
  'query',
  'documents',
  'n',
  'best_of',
  'stream',
  'stream_options',
  'size',
  'quality',
  'file',
  'thinking',
  'enable_thinking',
  'thinking_budget',
  'reasoning_effort',
  'context_management',
];

/** Fields in which routers among the upstreams are told of further models, for when the first does not serve. */
export const otherModelsFields: ReadonlySet<string> = new Set([
  'models',
  'fallbacks',
  'fallback_models',
  'context_window_fallbacks',
  'content_policy_fallbacks',
]);

/** Fields of a form that stand alone; of others, such as pictures, there may be several, each as `name[]`. */
export const singleFormFields: ReadonlySet<string> = new Set([
  'model',
  'n',
  'size',
  'quality',
  'prompt',
  'stream',
  'response_format',
  'file',
  ...limitNames,
]);
