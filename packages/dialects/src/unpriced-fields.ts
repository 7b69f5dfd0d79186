/** Request fields for the gateway or the provider that a model does not read. */
export const fieldsIgnoredByModel: ReadonlySet<string> = new Set([
  'model',
  'user',
  'metadata',
  'logit_bias',
  'stream_options',
  'safety_identifier',
  'prompt_cache_key',
]);

/** Fields of every message that are not shown to the model. */
export const structuralMessageFields: ReadonlySet<string> = new Set(['role', 'content', 'type', 'text']);

type HasNoEffect = (value: unknown) => boolean;

const isAbsent: HasNoEffect = (value) => value === undefined || value === null;
const isOff: HasNoEffect = (value) => isAbsent(value) || value === false || value === 'false';
const isEmpty: HasNoEffect = (value) =>
  isAbsent(value) || value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
const oneOf =
  (...usual: readonly unknown[]): HasNoEffect =>
  (value) =>
    isAbsent(value) || usual.includes(value);
const isOffBy =
  (name: string, off: unknown): HasNoEffect =>
  (value) =>
    isOff(value) || isEmpty(value) || (typeof value === 'object' && value !== null && Reflect.get(value, name) === off);

/** Field that selects a service tier. */
export const serviceTierField = 'service_tier';

/** True if a JSON body selects a service tier. Never matches inside a string, where quotes are escaped. */
export const selectsServiceTier = (json: Buffer | string): boolean => json.includes(`"${serviceTierField}":`);

/** Field that offers tools, including those run by the provider. */
export const serverToolsField = 'tools';
/** Field whose members some upstreams read as request fields. */
export const extraBodyField = 'extra_body';

/** Types of tools that the client runs. */
const ownTools: ReadonlySet<unknown> = new Set(['function', 'custom']);
/** Fields that mark a tool without a type as a client function. */
const ownMembers = ['function', 'name'] as const;
/** Google's tools may be combined: an item with client functions may also contain a search. */
const googleMembers: ReadonlySet<string> = new Set(['functionDeclarations', 'function_declarations']);

function isRunByClient(tool: unknown): boolean {
  if (typeof tool !== 'object' || tool === null) return false;
  const { type } = tool as { type?: unknown };
  if (type !== undefined && type !== null) return ownTools.has(type);
  const names = Object.keys(tool);
  return names.every((name) => googleMembers.has(name)) || ownMembers.some((name) => names.includes(name));
}

/** Google accepts a single item instead of a list. */
const areClientTools: HasNoEffect = (tools) =>
  isEmpty(tools) || (Array.isArray(tools) ? tools.every(isRunByClient) : isRunByClient(tools));

/**
 * Fields that have an unpriced cost, or that act on the operator's account, each with a check for values that have no
 * effect. Rejecting a field that the upstream does not support does no harm.
 */
export const unpricedFields: ReadonlyMap<string, HasNoEffect> = new Map<string, HasNoEffect>([
  // Priority, speed and data residency cost more.
  [serviceTierField, oneOf('auto', 'default', 'flex', 'on_demand', 'standard', 'standard_only')],
  ['speed', (value) => typeof value === 'number' || oneOf('standard', 'normal')(value) || isNumeral(value)],
  ['inference_geo', oneOf('global')],
  ['priority', oneOf(0)],
  // Searches and other tools run by the provider, each with a separate fee.
  [serverToolsField, areClientTools],
  ['web_search_options', isAbsent],
  ['web_search', isOffBy('enable', false)],
  ['search_parameters', isOffBy('mode', 'off')],
  ['search_options', isEmpty],
  ...(['enable_search', 'enable_enhancement', 'force_search_enhancement', 'enable_code_interpreter'] as const).map(
    (name) => [name, isOff] as const,
  ),
  ['mcp_servers', isEmpty],
  ['container', isEmpty],
  // Annotations of documents cost more per page.
  ...(['bbox_annotation_format', 'document_annotation_format'] as const).map((name) => [name, isEmpty] as const),
  // Alternative fields for the number of images; only `n` is priced.
  ...(['batch_size', 'num_images', 'num_outputs', 'number_of_images', 'num_images_per_prompt'] as const).map(
    (name) => [name, oneOf(1, '1')] as const,
  ),
  ['sequential_image_generation', oneOf('disabled')],
  // URL of a recording of unknown length.
  ['url', isEmpty],
  // Routing options of upstream routers: provider, plugins, keys.
  ...(['provider', 'plugins', 'preset', 'api_base', 'base_url', 'api_key'] as const).map(
    (name) => [name, isEmpty] as const,
  ),
  ...([extraBodyField, 'extra_headers', 'extra_query'] as const).map((name) => [name, isEmpty] as const),
  // Conversations stored in the operator's account: a client could reference other clients' data.
  ...(['chatId', 'conversation', 'conversation_id', 'session_id', 'thread_id', 'previous_response_id'] as const).map(
    (name) => [name, isEmpty] as const,
  ),
  // Stored files, caches and similar data, for the same reason.
  ...(['file_id', 'file_ids', 'vector_store_ids', 'container_id', 'cached_content', 'assistant_id'] as const).map(
    (name) => [name, isEmpty] as const,
  ),
  ...(['memory_id', 'knowledge_id', 'collection_ids', 'previous_interaction_id'] as const).map(
    (name) => [name, isEmpty] as const,
  ),
]);

/**
 * Fields that make an upstream respond later or to another URL: the upstream would charge for the work, while the relay
 * would treat its response as a failure and retry. Never allowed, even if an admin lists them.
 */
export const asyncResponseFields: ReadonlyMap<string, HasNoEffect> = new Map<string, HasNoEffect>([
  // xAI.
  ['deferred', isOff],
  // OpenAI's Responses API; in an image request the field describes the image's background.
  ['background', (value) => isOff(value) || oneOf('auto', 'opaque', 'transparent')(value)],
  // Routers and hosts of open models.
  ...(['async', 'is_async', 'async_mode', 'enable_async', 'asynchronous', 'batch', 'batch_mode'] as const).map(
    (name) => [name, isOff] as const,
  ),
  ...(['webhook', 'webhook_url', 'webhook_endpoint', 'callback', 'callback_url', 'notify_url'] as const).map(
    (name) => [name, isEmpty] as const,
  ),
]);

/** True if a value is a number written as text, as in a form. */
function isNumeral(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
}
