/**
 * Fields whose texts are ids and names in every dialect. They are kept in sets and maps, and V8 hashes strings above 16 kB
 * by their length alone: thousands of long ones of one length take it minutes.
 */
export const shortFields: ReadonlySet<string> = new Set([
  'allowedFunctionNames',
  'allowed_function_names',
  'call_id',
  'id',
  'item_id',
  'name',
  'namespace',
  'role',
  'tool_call_id',
  'tool_name',
  'tool_use_id',
  'type',
]);
