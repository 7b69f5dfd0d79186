/** Tables with the used and remaining quota of an owner. */
export type OwnerTable = 'users' | 'tokens' | 'channels';

interface OwnerMoves {
  readonly kind: 'user' | 'token' | 'channel';
  /** SQL assignments that add the sum of an owner's changes to its row. */
  readonly moves: string;
}

export const ownerUpdates: Readonly<Record<OwnerTable, OwnerMoves>> = {
  users: {
    kind: 'user',
    moves: `quota = users.quota - (sums.quota - sums.planned), plan_quota = users.plan_quota + sums.planned, used_quota = users.used_quota + sums.quota,
      unlogged_quota = users.unlogged_quota + sums.unlogged,
      budgeted_quota = users.budgeted_quota + sums.budgeted, request_count = users.request_count + sums.requests`,
  },
  tokens: {
    kind: 'token',
    moves: `remain_quota = tokens.remain_quota - sums.limited, used_quota = tokens.used_quota + sums.quota,
      accessed_time = greatest(tokens.accessed_time, sums.used_time)`,
  },
  channels: { kind: 'channel', moves: 'used_quota = channels.used_quota + sums.quota' },
};

export const deletedChangeColumns = 'kind, owner_id, quota, limited, planned, unlogged, budgeted, requests, used_time';

/** Sums of the removed changes by owner. */
export const sumDeletedChanges = `select kind, owner_id, sum(quota)::bigint as quota, sum(limited)::bigint as limited, sum(planned)::bigint as planned,
  sum(unlogged)::bigint as unlogged, sum(budgeted)::bigint as budgeted, sum(requests)::bigint as requests, max(used_time) as used_time
  from taken group by kind, owner_id`;
