import { logType } from '@headgate/contract';
import type { RequestRecord } from '../logs/log-service.ts';
import { mostQuota } from './map-user.ts';
import type { SourceKind, SourceRow } from './source.ts';
import { cut, flagOf, integerOf, objectOf, textOf, timeOf, within } from './source-values.ts';

export interface LogSurroundings {
  readonly kind: SourceKind;
  /** Our ids of users who came, and of channels, by theirs. */
  readonly users: ReadonlyMap<string, number>;
  readonly channels: ReadonlyMap<string, number>;
  readonly now: number;
}

/** What the types of rows there are called here; what is not here is left out. Tests of channels are nobody's. */
const types: Readonly<Record<SourceKind, Readonly<Record<number, number>>>> = {
  'one-api': { 1: logType.topUp, 2: logType.consumption, 3: logType.management, 4: logType.system },
  'new-api': {
    1: logType.topUp,
    2: logType.consumption,
    3: logType.management,
    4: logType.system,
    5: logType.failure,
    6: logType.system,
  },
};

const longestContent = 4000;
const longestName = 300;

/** Undefined for a row of nobody who came, or of a kind that there is not here. */
export function mapLog(row: SourceRow, { kind, users, channels, now }: LogSurroundings): RequestRecord | undefined {
  const user_id = users.get(textOf(row, 'user_id'));
  const type = types[kind][integerOf(row, 'type')];
  if (user_id === undefined || type === undefined) return undefined;
  const isCharged = type === logType.consumption || type === logType.topUp;
  const other = (kind === 'new-api' && objectOf(row, 'other')) || {};
  return {
    user_id,
    created_at: Math.min(timeOf(row, 'created_at'), now),
    type,
    content: cut(textOf(row, 'content'), longestContent),
    username: cut(textOf(row, 'username'), longestName),
    token_name: cut(textOf(row, 'token_name'), longestName),
    model_name: cut(textOf(row, 'model_name'), longestName),
    quota: isCharged ? Math.max(0, within(integerOf(row, 'quota'), mostQuota)) : 0,
    prompt_tokens: tokensOf(row, 'prompt_tokens'),
    completion_tokens: tokensOf(row, 'completion_tokens'),
    channel: channels.get(textOf(row, 'channel_id')) ?? 0,
    request_id: cut(textOf(row, 'request_id'), longestName),
    elapsed_time: kind === 'one-api' ? timeOf(row, 'elapsed_time') : timeOf(row, 'use_time') * 1000,
    is_stream: flagOf(row, 'is_stream') ? 1 : 0,
    system_prompt_reset: flagOf(row, 'system_prompt_reset') ? 1 : 0,
    detail: '',
    ended_by: '',
    group: cut(textOf(row, 'group'), longestName),
    first_byte_time: flagOf(row, 'is_stream') ? tokensOf(other, 'frt') : 0,
    status: 0,
    reason: type === logType.failure ? 'other' : '',
    cached_tokens: tokensOf(other, 'cache_tokens'),
    cache_write_tokens: tokensOf(other, 'cache_creation_tokens'),
    reasoning_tokens: 0,
    cost: 0,
    node: '',
  };
}

const mostTokens = 1_000_000_000_000;
const tokensOf = (row: SourceRow, column: string): number => Math.max(0, within(integerOf(row, column), mostTokens));
