/** Key of the advisory lock; must be unique in the database. */
export const totalsLock = 0x66_6f_6c_64;

/**
 * Start of every statement that adds changes to totals, so that only one node runs such a statement at a time.
 * Commits asynchronously: a crash undoes the statement as a whole, so no change is lost.
 */
export const withTotalsLock = `with mine as materialized (select pg_try_advisory_xact_lock(${totalsLock}) as is_mine,
  set_config('synchronous_commit', 'off', true))`;

/** True in such a statement if this node holds the lock. */
export const holdsTotalsLock = '(select is_mine from mine)';
