import { sql } from 'kysely';

/** Channel of the change feed, and prefix of the application name of every connection listening to it. */
export const feedName = 'headgate_changes';

/** A node not seen for this long counts as silent; nodes report every two seconds. */
const silentAfterMs = 6000;

/** Current time by the database clock, in milliseconds, because node clocks may differ. */
export const databaseNowMs = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** True if the node of a `nodes` row has an open change feed connection. */
export const isNodeListening = sql<boolean>`exists (select 1 from pg_stat_activity
  where datname = current_database() and application_name = ${sql.lit(`${feedName} `)} || nodes.id)`;

/** True if a `nodes` row was updated recently and has no time in the future. */
export const isNodeAlive = sql<boolean>`nodes.seen_ms between ${databaseNowMs} - ${sql.lit(silentAfterMs)}
  and ${databaseNowMs} + ${sql.lit(silentAfterMs)}`;
