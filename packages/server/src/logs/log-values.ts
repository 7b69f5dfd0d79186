import type { LogEnder } from '@headgate/contract';

/** What is stored of a log. */
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
  readonly ended_by: LogEnder | '';
}

export const logColumns = [
  ...(['user_id', 'created_at', 'type', 'content', 'username', 'token_name', 'model_name', 'quota'] as const),
  ...(['prompt_tokens', 'completion_tokens', 'channel', 'request_id', 'elapsed_time', 'is_stream'] as const),
  ...(['system_prompt_reset', 'detail', 'ended_by'] as const),
];

/**
 * The values of a row in the order of the columns. Named one by one: a loop over the names takes as long as storing
 * them.
 */
export const valuesOf = (row: LogValues): readonly unknown[] => [
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
];

/** The row whose values these are. */
export const logOf = (values: readonly unknown[]): LogValues =>
  Object.fromEntries(logColumns.map((column, index) => [column, values[index]])) as unknown as LogValues;
