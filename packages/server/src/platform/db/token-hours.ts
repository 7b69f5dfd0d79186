import { logType } from '@headgate/contract';
import { sql } from 'kysely';
import type { Database } from './database.ts';
import { upToDateTable } from './up-to-date.ts';

/** An hour with logs, and how far its sums by token name hold. */
export interface TokenHourState {
  readonly hour: number;
  /** Of all types. */
  readonly logs: number;
  /** Of the pack of the site, 0 where no request was logged; null while that pack does not hold. */
  readonly version: number | null;
  /** The last of the shared names that its sums tell apart; null while they do not hold. */
  readonly names: number | null;
  /** Of the pack of shared names. */
  readonly made: number;
}

/** The hours with logs between two times, oldest first. */
export async function tokenHourStates(
  database: Database,
  { from, to }: Readonly<Record<'from' | 'to', number>>,
): Promise<readonly TokenHourState[]> {
  const { rows } = await sql<
    Omit<TokenHourState, 'names' | 'made'> & Record<'packed' | 'packed_version' | 'names' | 'made', number | null>
  >`
    select logged.hour, logged.logs, token_packs.${sql.ref('rows')} as packed, token_packs.version as packed_version,
      token_packs.names, token_packs.made, case when logged.requests = 0 then 0
        when usage_packs.${sql.ref('rows')} = logged.requests then usage_packs.version end as version
    from (select hour, sum(${sql.ref('rows')}) as logs, sum(case when type in (${sql.lit(logType.consumption)},
        ${sql.lit(logType.failure)}) then ${sql.ref('rows')} else 0 end) as requests
      from ${upToDateTable(database, 'log_hours')} where hour >= ${from} and hour <= ${to} group by hour) as logged
    left join usage_packs on usage_packs.kind = 'site' and usage_packs.start = logged.hour
    left join token_packs on token_packs.hour = logged.hour
    order by logged.hour`.execute(database);
  return rows.map(({ hour, logs, version, packed, packed_version, names, made }) => ({
    hour,
    logs,
    version,
    names: packed === logs && version !== null && packed_version === version ? names : null,
    made: made ?? 0,
  }));
}

/** The number of a shared name; undefined of any other. */
export async function sharedNameId(database: Database, name: string): Promise<number | undefined> {
  const row = await database.selectFrom('shared_token_names').select('id').where('name', '=', name).executeTakeFirst();
  return row?.id;
}
