import type { LogRow } from './log-repository.ts';

/** Position of each column in the row array. JSON lines have the columns in this order. */
export const at = {
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
export type ReadLog = { readonly [Name in keyof typeof at as (typeof at)[Name]]: LogRow[Name] };

export const readColumns = Object.keys(at) as readonly (keyof typeof at)[];

/** Columns are listed explicitly, because looping over them takes longer than writing the line. */
export const logOf = (log: ReadLog): LogRow => ({
  id: log[at.id],
  user_id: log[at.user_id],
  created_at: log[at.created_at],
  type: log[at.type],
  content: log[at.content],
  username: log[at.username],
  token_name: log[at.token_name],
  model_name: log[at.model_name],
  quota: log[at.quota],
  prompt_tokens: log[at.prompt_tokens],
  completion_tokens: log[at.completion_tokens],
  channel: log[at.channel],
  request_id: log[at.request_id],
  elapsed_time: log[at.elapsed_time],
  is_stream: log[at.is_stream],
  system_prompt_reset: log[at.system_prompt_reset],
  detail: log[at.detail],
  ended_by: log[at.ended_by],
  group: log[at.group],
  reason: log[at.reason],
  status: log[at.status],
  first_byte_time: log[at.first_byte_time],
  cached_tokens: log[at.cached_tokens],
  cache_write_tokens: log[at.cache_write_tokens],
  reasoning_tokens: log[at.reasoning_tokens],
  cost: log[at.cost],
  node: log[at.node],
});
