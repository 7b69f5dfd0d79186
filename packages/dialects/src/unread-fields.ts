/** Fields of a request that are for the gateway or the provider, not for the model. */
export const fieldsNotRead: ReadonlySet<string> = new Set([
  'model',
  'user',
  'metadata',
  'logit_bias',
  'stream_options',
  'safety_identifier',
  'prompt_cache_key',
]);

/** Names of fields that are in every message and are not said to the model. */
export const namesNotSaid: ReadonlySet<string> = new Set(['role', 'content', 'type', 'text']);
