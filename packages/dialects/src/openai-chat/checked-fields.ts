import { limitFieldNames } from './read-outline.ts';

/** Fields that determine permission, routing and reservation. */
export const checkedFields: readonly string[] = [
  ...limitFieldNames,
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

/** Fields in which routers accept fallback models. */
export const otherModelFields: ReadonlySet<string> = new Set([
  'models',
  'fallbacks',
  'fallback_models',
  'context_window_fallbacks',
  'content_policy_fallbacks',
]);

/** Form fields that occur only once; others, such as images, may repeat as `name[]`. */
export const singleFormFields: ReadonlySet<string> = new Set([
  'model',
  'n',
  'size',
  'quality',
  'prompt',
  'stream',
  'response_format',
  'file',
  ...limitFieldNames,
]);
