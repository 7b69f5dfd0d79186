/** Request fields for the gateway or the provider that a model does not read. */
export const unreadFields: ReadonlySet<string> = new Set([
  'model',
  'user',
  'metadata',
  'logit_bias',
  'stream_options',
  'safety_identifier',
  'prompt_cache_key',
]);

/** Fields of every message that are not shown to the model. */
export const unreadMessageFields: ReadonlySet<string> = new Set(['role', 'content', 'type', 'text']);
