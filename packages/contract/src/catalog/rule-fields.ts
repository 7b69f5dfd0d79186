/** Normalizes names that upstreams may read as the same field. */
export const normalizedFieldName = (name: string): string => name.toUpperCase().toLowerCase().replace(/[_-]/g, '');

const named = (...names: readonly string[]): ReadonlySet<string> => new Set(names.map(normalizedFieldName));

/** Fields that rules can neither write nor remove, because they select the model or affect the price. */
const fixedFields = named(
  ...['model', 'models', 'model_id', 'model_name', 'bot_id', 'engine', 'deployment', 'deployment_id'],
  ...['fallbacks', 'fallback_models', 'context_window_fallbacks', 'content_policy_fallbacks'],
  ...['stream', 'stream_options', 'incremental_output'],
  ...['n', 'best_of', 'num_completions', 'num_generations', 'candidate_count', 'sample_count', 'partial_images'],
  ...['size', 'quality', 'resolution', 'duration', 'seconds', 'num_frames', 'width', 'height', 'image_size'],
  ...['aspect_ratio', 'image_config', 'image_generation_config'],
  // Client content.
  ...['messages', 'message', 'input', 'inputs', 'prompt', 'prompts', 'contents', 'content', 'chat_history', 'history'],
  ...['documents', 'document', 'pages', 'query', 'texts', 'suffix', 'file', 'image', 'images', 'mask', 'input_text'],
  ...['system', 'system_prompt', 'system_instruction', 'instructions', 'preamble'],
);

/** Fields that rules may remove but not write: they add output, tools or cache writes that are not reserved. */
const removableFields = named(
  ...['tools', 'functions', 'connectors', 'tool_config', 'echo', 'prediction', 'context_management', 'cache_control'],
  ...['modalities', 'response_modalities', 'audio', 'speech_config', 'prompt_cache_retention'],
  ...['performance_config', 'guardrail_config'],
);

/** Output limits: rules may lower, add or rename them. */
const outputLimitFields = named(
  ...['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'max_new_tokens', 'max_tokens_to_sample'],
  ...['max_gen_len', 'num_predict', 'max_length'],
);

/** Fields that no dialect reads to determine the cost of a request. */
export const costNeutralFields: ReadonlySet<string> = new Set([
  ...['temperature', 'top_p', 'top_k', 'min_p', 'seed', 'stop', 'stop_sequences'],
  ...['frequency_penalty', 'presence_penalty', 'repetition_penalty', 'logit_bias', 'user', 'metadata'],
]);

/** Names that would change the prototype of an object. */
const unsafeNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export const isUnsafeName = (name: string): boolean => unsafeNames.has(name);
export const isProtectedField = (name: string): boolean => fixedFields.has(normalizedFieldName(name));
export const isRemovableField = (name: string): boolean => removableFields.has(normalizedFieldName(name));
export const isOutputLimitField = (name: string): boolean => outputLimitFields.has(normalizedFieldName(name));

/** First protected key of a value, at any depth; undefined if none. */
export function findProtectedKey(value: unknown, isProtected: (name: string) => boolean): string | undefined {
  const open: object[] = isContainer(value) ? [value] : [];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const found = Array.isArray(one) ? undefined : Object.keys(one).find(isProtected);
    if (found !== undefined) return found;
    for (const inner of Object.values(one)) if (isContainer(inner)) open.push(inner);
  }
  return undefined;
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Keys of a value that a rule writes. */
export const isProtectedFromWrite = (name: string): boolean =>
  isUnsafeName(name) || isProtectedField(name) || isRemovableField(name) || isOutputLimitField(name);

/** Keys of a value that a rule replaces or removes. */
export const isProtectedFromReplace = (name: string): boolean => isProtectedField(name) || isOutputLimitField(name);

/** Headers of the connection and the body, which the gateway sets. */
const connectionHeaders: ReadonlySet<string> = new Set([
  ...['host', 'connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization', 'te'],
  ...['trailer', 'transfer-encoding', 'upgrade', 'expect', 'content-length', 'content-type', 'content-encoding'],
  ...['accept-encoding', 'http2-settings', 'cookie', 'set-cookie', 'forwarded', 'via'],
  // Headers that defer the response or select a more expensive service.
  ...['prefer', 'x-vertex-ai-llm-request-type', 'x-vertex-ai-llm-shared-request-type'],
]);
const connectionHeaderFamilies = [
  ...['x-amz-', 'x-amzn-', 'sec-', 'x-tc-', 'proxy-', 'x-http-method', 'x-dashscope-'],
  // Headers that name a host to which an intermediate gateway would send the key.
  ...['helicone-', 'x-portkey-', 'portkey-', 'x-forwarded-', 'x-original-', 'x-rewrite-', 'x-envoy-', 'x-host'],
  ...[
    'cf-aig-',
    'x-litellm-',
    'x-bf-',
    'x-upstream-url',
    'x-upstream-host',
    'x-target-',
    'x-proxy-',
    'x-base-url',
    'x-api-base',
  ],
] as const;

/** Headers with the channel's key; a rule may set them only to a value with `{api_key}`. */
const keyHeaders: ReadonlySet<string> = new Set([
  ...['authorization', 'x-api-key', 'api-key', 'apikey', 'x-goog-api-key', 'x-auth-token', 'ocp-apim-subscription-key'],
]);

/** Placeholder for the channel's key in header values. */
export const apiKeyPlaceholder = '{api_key}';

export const isConnectionHeader = (name: string): boolean =>
  connectionHeaders.has(name) || connectionHeaderFamilies.some((start) => name.startsWith(start));
export const isKeyHeader = (name: string): boolean => keyHeaders.has(name);

const secretWord = /(?:key|token|secret|auth|authorization|cookie|jwt|password|passwd|credential|session|signature)s?$/;

/** Headers with credentials: values set by rules are stored encrypted and never returned. */
export const isSecretHeader = (name: string): boolean => name.split(/[-_.]/).some((word) => secretWord.test(word));

/** True for a value such as `Bearer {api_key}`, which contains no credential itself. */
const isOnlyPlaceholder = (value: string): boolean => /^(?:[A-Za-z]\w{0,19} )?\{api_key\}$/.test(value);

/** True if the value of a header that a rule sets is a credential. */
export const isSecretHeaderValue = (header: string, value: string): boolean =>
  isSecretHeader(header) && !isOnlyPlaceholder(value);

const personalWords = [
  ...['key', 'token', 'secret', 'auth', 'cookie', 'organization', 'workspace', 'account', 'project'],
  ...['jwt', 'oidc', 'identity', 'session', 'assertion', 'cert', 'credential', 'client-ip', 'connecting-ip'],
  ...['remote-user', 'x-user'],
];

/** Client headers about the client's account or network, which are never forwarded. */
export const isPersonalHeader = (name: string): boolean =>
  personalWords.some((word) => name.includes(word)) || name.startsWith('x-forwarded-') || name === 'x-real-ip';
