import { logType } from '@headgate/contract';
import { mapSpendLog, type SpendContext } from '../litellm/map-spend-log.ts';
import { maxContentLength, maxNameLength, maxPerRow, readAmount, readLogName } from '../source/log-values.ts';
import type { OneApiSourceKind, SourceKind, SourceRow } from '../source/source.ts';
import { readFlag, readInteger, readJsonObject, readText, readTime, truncate } from '../source/source-values.ts';

export interface LogContext {
  readonly kind: SourceKind;
  /** Ids of imported users in this gateway, by source id. */
  readonly users: ReadonlyMap<string, number>;
  readonly channels: ReadonlyMap<string, number>;
  readonly now: number;
  /** Only for LiteLLM. */
  readonly spend: SpendContext;
}

/** Reason why a log is skipped, for the report. */
export type LogSkip = 'users who are not imported' | 'channel tests' | 'an unsupported type';

/** One API's type for channel tests, which belong to no user. */
const oneApiTest = 5;

/** Log types by source type; other types are skipped. Refunds and logins of new-api become system logs. */
const types: Readonly<Record<OneApiSourceKind, Readonly<Record<number, number>>>> = {
  'one-api': { 1: logType.topUp, 2: logType.consumption, 3: logType.management, 4: logType.system },
  'new-api': {
    1: logType.topUp,
    2: logType.consumption,
    3: logType.management,
    4: logType.system,
    5: logType.failure,
    6: logType.system,
    7: logType.system,
  },
};

type Ancestor = Omit<LogContext, 'kind'> & { readonly kind: OneApiSourceKind };

export function mapLog(row: SourceRow, around: LogContext) {
  const { kind } = around;
  if (kind !== 'litellm') return mapNumberedLog(row, { ...around, kind });
  return mapSpendLog(row, around) ?? ('users who are not imported' satisfies LogSkip);
}

function mapNumberedLog(row: SourceRow, { kind, users, channels, now }: Ancestor) {
  const user_id = users.get(readText(row, 'user_id'));
  const type = types[kind][readInteger(row, 'type')];
  if (type === undefined) return skipByType(kind, row);
  if (user_id === undefined) return 'users who are not imported' satisfies LogSkip;
  const isCharged = type === logType.consumption || type === logType.topUp;
  const other = (kind === 'new-api' && readJsonObject(row, 'other')) || {};
  return {
    user_id,
    created_at: Math.min(readTime(row, 'created_at'), now),
    type,
    content: truncate(readText(row, 'content'), maxContentLength),
    username: readLogName(row, 'username'),
    token_name: readLogName(row, 'token_name'),
    model_name: readLogName(row, 'model_name'),
    quota: isCharged ? readAmount(row, 'quota', maxPerRow.quota) : 0,
    prompt_tokens: readAmount(row, 'prompt_tokens', maxPerRow.tokens),
    completion_tokens: readAmount(row, 'completion_tokens', maxPerRow.tokens),
    channel: channels.get(readText(row, 'channel_id')) ?? 0,
    request_id: truncate(readText(row, 'request_id'), maxNameLength),
    elapsed_time: Math.min(
      kind === 'one-api' ? readTime(row, 'elapsed_time') : readTime(row, 'use_time') * 1000,
      maxPerRow.milliseconds,
    ),
    is_stream: readFlag(row, 'is_stream') ? 1 : 0,
    system_prompt_reset: readFlag(row, 'system_prompt_reset') ? 1 : 0,
    detail: '',
    ended_by: '' as const,
    group: readLogName(row, 'group'),
    first_byte_time: readFlag(row, 'is_stream') ? readAmount(other, 'frt', maxPerRow.milliseconds) : 0,
    status: 0,
    reason: type === logType.failure ? ('other' as const) : ('' as const),
    cached_tokens: readAmount(other, 'cache_tokens', maxPerRow.tokens),
    cache_write_tokens: readAmount(other, 'cache_creation_tokens', maxPerRow.tokens),
    reasoning_tokens: 0,
    cost: 0,
    node: '',
  };
}

const skipByType = (kind: SourceKind, row: SourceRow): LogSkip =>
  kind === 'one-api' && readInteger(row, 'type') === oneApiTest ? 'channel tests' : 'an unsupported type';
