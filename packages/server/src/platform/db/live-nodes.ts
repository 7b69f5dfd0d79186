import { sql } from 'kysely';

/** The channel of changes, and the beginning of the name of every connection that listens to it. */
export const feedName = 'headgate_changes';

/** One who was not heard of for longer than this is silent; it beats every two seconds. */
const silentAfterMs = 6000;

/** The clock of the database: those of the nodes may differ. */
export const databaseMs = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** Whether the connection of a row of `nodes` is open by which it hears of changes. */
export const isListening = sql<boolean>`exists (select 1 from pg_stat_activity
  where datname = current_database() and application_name = ${sql.lit(`${feedName} `)} || nodes.id)`;

/** Whether a row of `nodes` has said lately that it is alive; no node says so ahead of time. */
export const isFresh = sql<boolean>`nodes.seen_ms between ${databaseMs} - ${sql.lit(silentAfterMs)}
  and ${databaseMs} + ${sql.lit(silentAfterMs)}`;
