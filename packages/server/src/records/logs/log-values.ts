import type { LogEndCause, LogReason } from '@headgate/contract';

/** Stored columns of a log. */
interface LogValues {
  readonly user_id: number;
  readonly created_at: number;
  readonly type: number;
  readonly content: string;
  readonly username: string;
  readonly token_name: string;
  readonly model_name: string;
  readonly quota: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly channel: number;
  readonly request_id: string;
  readonly elapsed_time: number;
  readonly is_stream: number;
  readonly system_prompt_reset: number;
  readonly detail: string;
  readonly ended_by: LogEndCause | '';
  readonly group: string;
  readonly first_byte_time: number;
  readonly status: number;
  readonly reason: LogReason | '';
  readonly cached_tokens: number;
  readonly cache_write_tokens: number;
  readonly reasoning_tokens: number;
  readonly cost: number;
  readonly node: string;
}

/** Columns of a log except its id, in the order of `appendLogValues`. */
export const logColumns = [
  ...(['user_id', 'created_at', 'type', 'content', 'username', 'token_name', 'model_name', 'quota'] as const),
  ...(['prompt_tokens', 'completion_tokens', 'channel', 'request_id', 'elapsed_time', 'is_stream'] as const),
  ...(['system_prompt_reset', 'detail', 'ended_by', 'group', 'first_byte_time', 'status', 'reason'] as const),
  ...(['cached_tokens', 'cache_write_tokens', 'reasoning_tokens', 'cost', 'node'] as const),
];

/** Values of logs that are not about a request. */
export const nonRequestValues = {
  group: '',
  first_byte_time: 0,
  status: 0,
  reason: '',
  cached_tokens: 0,
  cache_write_tokens: 0,
  reasoning_tokens: 0,
  cost: 0,
  node: '',
} as const;

/**
 * Appends the values of a row in column order. Columns are listed explicitly, because looping over them takes as long
 * as storing them.
 */
export function appendLogValues(values: unknown[], row: LogValues): void {
  values.push(
    row.user_id,
    row.created_at,
    row.type,
    row.content,
    row.username,
    row.token_name,
    row.model_name,
    row.quota,
    row.prompt_tokens,
    row.completion_tokens,
    row.channel,
    row.request_id,
    row.elapsed_time,
    row.is_stream,
    row.system_prompt_reset,
    row.detail,
    row.ended_by,
    row.group,
    row.first_byte_time,
    row.status,
    row.reason,
    row.cached_tokens,
    row.cache_write_tokens,
    row.reasoning_tokens,
    row.cost,
    row.node,
  );
}

export function logValues(row: LogValues): readonly unknown[] {
  const values: unknown[] = [];
  appendLogValues(values, row);
  return values;
}

/** Converts values in column order to a row. */
export const logFromValues = (values: readonly unknown[]): LogValues =>
  // Safe cast: every column has a value.
  Object.fromEntries(logColumns.map((column, index) => [column, values[index]])) as unknown as LogValues;
