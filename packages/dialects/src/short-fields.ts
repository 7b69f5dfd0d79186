/**
 * Fields whose values are ids, names and types in every dialect. They are used as keys of sets and maps, and V8
 * hashes strings above 16 kB by their length alone: looking up thousands of equal length takes minutes.
 */
export const shortFields: ReadonlySet<string> = new Set([
  'allowedFunctionNames',
  'allowed_function_names',
  'call_id',
  'detail',
  'format',
  'id',
  'item_id',
  'media_type',
  'mimeType',
  'mime_type',
  'name',
  'namespace',
  'role',
  'status',
  'tool_call_id',
  'tool_name',
  'tool_use_id',
  'type',
]);
