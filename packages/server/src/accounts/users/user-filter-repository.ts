import type { UserFilter } from '@headgate/contract';
import type { SelectQueryBuilder } from 'kysely';
import { containsText, isInList, parseId } from '../../platform/db/paging.ts';
import type { Schema } from '../../platform/db/schema.ts';

/** User filter; all given conditions must match. */
export type UserFilterValues = Partial<UserFilter>;

export function filterUsers<Row>(query: SelectQueryBuilder<Schema, 'users', Row>, filter: UserFilterValues) {
  const { status, role, group, quota_from, quota_below, keyword } = filter;
  let narrow = query;
  if (status !== undefined) narrow = narrow.where('status', '=', status);
  if (role !== undefined) narrow = narrow.where('role', '=', role);
  if (group) narrow = narrow.where((where) => isInList(where, 'group', group));
  if (quota_from !== undefined) narrow = narrow.where('quota', '>=', quota_from);
  if (quota_below !== undefined) narrow = narrow.where('quota', '<', quota_below);
  if (!keyword) return narrow;
  return narrow.where((where) =>
    where.or([
      where('id', '=', parseId(keyword) ?? -1),
      ...(['username', 'display_name', 'email'] as const).map((column) => containsText(where, column, keyword)),
    ]),
  );
}
