import { secondsPerDay } from '../logs/hours.ts';
import { isEmpty, type Span, splitAtDays } from '../logs/time-span.ts';
import type { Column, SumsRequest } from './usage-request.ts';

/** Time span, and the table or view that contains its usage. */
export interface UsagePiece extends Span {
  readonly table: 'site_hours' | 'usage_hours' | 'usage_days' | 'tag_hours' | 'new_logs' | 'new_tagged_logs';
}

const userColumns: readonly Column[] = ['user_id', 'username', 'token_name'];

/** Tables to read for a request: the smallest rollup with all its columns, and the logs that are not rolled up yet. */
export function usagePieces(request: SumsRequest): readonly UsagePiece[] {
  const { from, to } = request;
  if (readsTag(request)) {
    return [
      { table: 'tag_hours', from, to },
      { table: 'new_tagged_logs', from, to },
    ];
  }
  return [...rollupPieces(request), { table: 'new_logs', from, to }];
}

function rollupPieces(request: SumsRequest): readonly UsagePiece[] {
  const { from, to, time, offset = 0, filter, owners } = request;
  const columns = [...request.by, ...Object.keys(filter), ...(request.among ?? []).flatMap(Object.keys)];
  if (!userColumns.some((column) => columns.includes(column))) return [{ table: 'site_hours', from, to }];
  // An index finds the hours of a single user, and days in other time zones are computed from hours.
  const isOfFewUsers = owners !== undefined || filter.user_id !== undefined;
  const isInDays = time === undefined || (time === 'day' && offset % secondsPerDay === 0);
  if (isOfFewUsers || !isInDays) return [{ table: 'usage_hours', from, to }];
  const { newest, whole, oldest } = splitAtDays({ from, to });
  return [
    { table: 'usage_hours' as const, ...oldest },
    { table: 'usage_days' as const, ...whole },
    { table: 'usage_hours' as const, ...newest },
  ].filter((piece) => !isEmpty(piece));
}

/** True if the request groups or filters by the value of a tag. */
export const readsTag = ({ by, filter, among = [] }: SumsRequest): boolean =>
  by.includes('tag_value') || filter.tag_value !== undefined || among.some((values) => 'tag_value' in values);
