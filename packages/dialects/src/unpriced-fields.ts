type IsHarmless = (value: unknown) => boolean;

const isAbsent: IsHarmless = (value) => value === undefined || value === null;
const isOff: IsHarmless = (value) => isAbsent(value) || value === false || value === 'false';
const isEmpty: IsHarmless = (value) =>
  isAbsent(value) || value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
const oneOf =
  (...usual: readonly unknown[]): IsHarmless =>
  (value) =>
    isAbsent(value) || usual.includes(value);
const isOffBy =
  (name: string, off: unknown): IsHarmless =>
  (value) =>
    isOff(value) || isEmpty(value) || (typeof value === 'object' && value !== null && Reflect.get(value, name) === off);

/** The field that offers tools, those of the provider's own among them. */
export const serverToolsField = 'tools';
/** A field whose members some upstreams read as fields of the request. */
export const packedFields = 'extra_body';

/** Run by the client, not by the provider. */
const ownTools: ReadonlySet<unknown> = new Set(['function', 'custom']);
/** Members by which a tool without a type says that it is a function of the client. */
const ownMembers = ['function', 'name'] as const;
/** Google's tools may be several in one: beside functions of the client's there may be a search. */
const googleMembers: ReadonlySet<string> = new Set(['functionDeclarations', 'function_declarations']);

function isRunByClient(tool: unknown): boolean {
  if (typeof tool !== 'object' || tool === null) return false;
  const { type } = tool as { type?: unknown };
  if (type !== undefined && type !== null) return ownTools.has(type);
  const names = Object.keys(tool);
  return names.every((name) => googleMembers.has(name)) || ownMembers.some((name) => names.includes(name));
}

/** Google takes one where a list of them is meant. */
const areOwnTools: IsHarmless = (tools) =>
  isEmpty(tools) || (Array.isArray(tools) ? tools.every(isRunByClient) : isRunByClient(tools));

/**
 * Fields that an upstream obeys at a cost no price here knows, or in the name of whose account it is, and which of their
 * values are harmless. Where the upstream has no such field nothing is lost by refusing it.
 */
export const unpricedFields: ReadonlyMap<string, IsHarmless> = new Map<string, IsHarmless>([
  // Who is served first, faster, or in one country, pays more.
  ['service_tier', oneOf('auto', 'default', 'flex', 'on_demand', 'standard', 'standard_only')],
  ['speed', (value) => typeof value === 'number' || oneOf('standard', 'normal')(value) || isNumeral(value)],
  ['inference_geo', oneOf('global')],
  ['priority', oneOf(0)],
  // Searches and other work of the provider, each with a fee of its own.
  [serverToolsField, areOwnTools],
  ['web_search_options', isAbsent],
  ['web_search', isOffBy('enable', false)],
  ['search_parameters', isOffBy('mode', 'off')],
  ['search_options', isEmpty],
  ...(['enable_search', 'enable_enhancement', 'force_search_enhancement', 'enable_code_interpreter'] as const).map(
    (name) => [name, isOff] as const,
  ),
  ['mcp_servers', isEmpty],
  ['container', isEmpty],
  // How many images to draw, beside `n`, which is the one that is priced.
  ...(['batch_size', 'num_images', 'num_outputs', 'number_of_images', 'num_images_per_prompt'] as const).map(
    (name) => [name, oneOf(1, '1')] as const,
  ),
  ['sequential_image_generation', oneOf('disabled')],
  // The address of a recording, of unknown length.
  ['url', isEmpty],
  // What a router among the upstreams does with the call: by whom, with what, for whose key.
  ...(['provider', 'plugins', 'preset', 'api_base', 'base_url', 'api_key'] as const).map(
    (name) => [name, isEmpty] as const,
  ),
  ...([packedFields, 'extra_headers', 'extra_query'] as const).map((name) => [name, isEmpty] as const),
  // Conversations that are kept in the operator's account: another's can be named as well as one's own.
  ...(['chatId', 'conversation', 'conversation_id', 'session_id', 'thread_id', 'previous_response_id'] as const).map(
    (name) => [name, isEmpty] as const,
  ),
  // The same of files, caches and what else is kept there.
  ...(['file_id', 'file_ids', 'vector_store_ids', 'container_id', 'cached_content', 'assistant_id'] as const).map(
    (name) => [name, isEmpty] as const,
  ),
  ...(['memory_id', 'knowledge_id', 'collection_ids', 'previous_interaction_id'] as const).map(
    (name) => [name, isEmpty] as const,
  ),
]);

/**
 * Fields by which an upstream answers later, or to another address: it would work for money, and its reply would be taken
 * for a failure and the request sent again. Never allowed, whatever an admin allows.
 */
export const deferringFields: ReadonlyMap<string, IsHarmless> = new Map<string, IsHarmless>([
  // xAI
  ['deferred', isOff],
  // OpenAI's responses; of an image it is what is behind the subject.
  ['background', (value) => isOff(value) || oneOf('auto', 'opaque', 'transparent')(value)],
  // Those of routers and hosts of open models
  ...(['async', 'is_async', 'async_mode', 'enable_async', 'asynchronous', 'batch', 'batch_mode'] as const).map(
    (name) => [name, isOff] as const,
  ),
  ...(['webhook', 'webhook_url', 'webhook_endpoint', 'callback', 'callback_url', 'notify_url'] as const).map(
    (name) => [name, isEmpty] as const,
  ),
]);

/** Whether a value is a number written as text, as it comes in a form. */
function isNumeral(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
}
