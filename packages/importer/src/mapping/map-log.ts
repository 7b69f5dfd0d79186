import { logType } from '@headgate/contract';
import type { SourceKind, SourceRow } from '../source/source.ts';
import {
  clamp,
  flagOf,
  integerOf,
  objectOf,
  textOf,
  timeOf,
  truncate,
  truncateBytes,
} from '../source/source-values.ts';

export interface LogContext {
  readonly kind: SourceKind;
  /** Ids of imported users in this gateway, by source id. */
  readonly users: ReadonlyMap<string, number>;
  readonly channels: ReadonlyMap<string, number>;
  readonly now: number;
}

/** Why a log is skipped, for the report. */
export type LogSkip = 'users who are not imported' | 'channel tests' | 'an unsupported type';

/** One API's type of channel tests, which belong to no user. */
const oneApiTest = 5;

/** Log types by source type; other types are skipped. Refunds and logins of new-api become system logs. */
const types: Readonly<Record<SourceKind, Readonly<Record<number, number>>>> = {
  'one-api': { 1: logType.topUp, 2: logType.consumption, 3: logType.management, 4: logType.system },
  litellm: {},
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

const maxContentLength = 4000;
const maxNameLength = 300;

export function mapLog(row: SourceRow, { kind, users, channels, now }: LogContext) {
  const user_id = users.get(textOf(row, 'user_id'));
  const type = types[kind][integerOf(row, 'type')];
  if (type === undefined) return skipByType(kind, row);
  if (user_id === undefined) return 'users who are not imported' satisfies LogSkip;
  const isCharged = type === logType.consumption || type === logType.topUp;
  const other = (kind === 'new-api' && objectOf(row, 'other')) || {};
  return {
    user_id,
    created_at: Math.min(timeOf(row, 'created_at'), now),
    type,
    content: truncate(textOf(row, 'content'), maxContentLength),
    username: nameIn(row, 'username'),
    token_name: nameIn(row, 'token_name'),
    model_name: nameIn(row, 'model_name'),
    quota: isCharged ? amountOf(row, 'quota', maxPerRow.quota) : 0,
    prompt_tokens: amountOf(row, 'prompt_tokens', maxPerRow.tokens),
    completion_tokens: amountOf(row, 'completion_tokens', maxPerRow.tokens),
    channel: channels.get(textOf(row, 'channel_id')) ?? 0,
    request_id: truncate(textOf(row, 'request_id'), maxNameLength),
    elapsed_time: Math.min(
      kind === 'one-api' ? timeOf(row, 'elapsed_time') : timeOf(row, 'use_time') * 1000,
      maxPerRow.milliseconds,
    ),
    is_stream: flagOf(row, 'is_stream') ? 1 : 0,
    system_prompt_reset: flagOf(row, 'system_prompt_reset') ? 1 : 0,
    detail: '',
    ended_by: '' as const,
    group: nameIn(row, 'group'),
    first_byte_time: flagOf(row, 'is_stream') ? amountOf(other, 'frt', maxPerRow.milliseconds) : 0,
    status: 0,
    reason: type === logType.failure ? ('other' as const) : ('' as const),
    cached_tokens: amountOf(other, 'cache_tokens', maxPerRow.tokens),
    cache_write_tokens: amountOf(other, 'cache_creation_tokens', maxPerRow.tokens),
    reasoning_tokens: 0,
    cost: 0,
    node: '',
  };
}

const skipByType = (kind: SourceKind, row: SourceRow): LogSkip =>
  kind === 'one-api' && integerOf(row, 'type') === oneApiTest ? 'channel tests' : 'an unsupported type';

/** Upper bounds per log row, so that sums stay exact: an inexact sum could not be read back. */
const maxPerRow = { quota: 1_000_000_000_000, tokens: 1_000_000_000, milliseconds: 86_400_000 } as const;

const amountOf = (row: SourceRow, column: string, most: number): number =>
  Math.max(0, clamp(integerOf(row, column), most));

/** An index covers four of these names and is limited to 2,700 bytes. */
const maxNameBytes = 600;

const nameIn = (row: SourceRow, column: string): string =>
  truncateBytes(truncate(textOf(row, column), maxNameLength), maxNameBytes);
