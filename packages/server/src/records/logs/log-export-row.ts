import type { LogRow } from '../../platform/db/rows.ts';

/** Position of each column in the row array. JSON lines have the columns in this order. */
export const columnIndex = {
  id: 0,
  user_id: 1,
  created_at: 2,
  type: 3,
  content: 4,
  username: 5,
  token_name: 6,
  model_name: 7,
  quota: 8,
  prompt_tokens: 9,
  completion_tokens: 10,
  channel: 11,
  request_id: 12,
  elapsed_time: 13,
  is_stream: 14,
  system_prompt_reset: 15,
  detail: 16,
  ended_by: 17,
  group: 18,
  reason: 19,
  status: 20,
  first_byte_time: 21,
  cached_tokens: 22,
  cache_write_tokens: 23,
  reasoning_tokens: 24,
  cost: 25,
  node: 26,
} as const satisfies Readonly<Record<keyof LogRow, number>>;

/** A log read for an export. */
export type ExportedLog = { readonly [Name in keyof typeof columnIndex as (typeof columnIndex)[Name]]: LogRow[Name] };

export const readColumns = Object.keys(columnIndex) as readonly (keyof typeof columnIndex)[];

/** Columns are listed explicitly, because looping over them takes longer than writing the line. */
export const toLogRow = (log: ExportedLog): LogRow => ({
  id: log[columnIndex.id],
  user_id: log[columnIndex.user_id],
  created_at: log[columnIndex.created_at],
  type: log[columnIndex.type],
  content: log[columnIndex.content],
  username: log[columnIndex.username],
  token_name: log[columnIndex.token_name],
  model_name: log[columnIndex.model_name],
  quota: log[columnIndex.quota],
  prompt_tokens: log[columnIndex.prompt_tokens],
  completion_tokens: log[columnIndex.completion_tokens],
  channel: log[columnIndex.channel],
  request_id: log[columnIndex.request_id],
  elapsed_time: log[columnIndex.elapsed_time],
  is_stream: log[columnIndex.is_stream],
  system_prompt_reset: log[columnIndex.system_prompt_reset],
  detail: log[columnIndex.detail],
  ended_by: log[columnIndex.ended_by],
  group: log[columnIndex.group],
  reason: log[columnIndex.reason],
  status: log[columnIndex.status],
  first_byte_time: log[columnIndex.first_byte_time],
  cached_tokens: log[columnIndex.cached_tokens],
  cache_write_tokens: log[columnIndex.cache_write_tokens],
  reasoning_tokens: log[columnIndex.reasoning_tokens],
  cost: log[columnIndex.cost],
  node: log[columnIndex.node],
});
