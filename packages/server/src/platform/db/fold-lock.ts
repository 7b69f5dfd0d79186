/** Any number, as long as nothing else in the database uses it. */
export const foldLock = 0x66_6f_6c_64;

/**
 * The beginning of every statement that folds: only one node does at a time. It moves numbers from one table to another and
 * loses none when the server crashes, so that nobody need wait for the disk.
 */
export const withFoldLock = `with mine as materialized (select pg_try_advisory_xact_lock(${foldLock}) as is_mine,
  set_config('synchronous_commit', 'off', true))`;

/** In such a statement: whether no other node is folding. */
export const isFoldMine = '(select is_mine from mine)';
