import {
  type LogFacetField,
  type LogFacets,
  logFacetFields,
  logType,
  maxCountedLogs,
  successStatus,
} from '@headgate/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import type { LogFilter } from './log-filter.ts';
import { selectLogs } from './log-list-repository.ts';
import { maxLogsRead, narrowLogFilter, searchableTimeRange } from './log-request-repository.ts';

/** Maximum number of values per field. */
const maxValues = 8;

const operatorFields: readonly LogFacetField[] = ['channel', 'username'];

/** Value of a field as filter text; null: the log has none. */
const filterTextOf: Readonly<Record<LogFacetField, RawBuilder<string | null>>> = {
  status: sql<
    string | null
  >`case when type = ${sql.lit(logType.consumption)} and status = 0 then ${sql.lit(String(successStatus))}
    when status <> 0 then cast(status as text) end`,
  reason: sql<string | null>`nullif(reason, '')`,
  model_name: sql<string | null>`nullif(model_name, '')`,
  channel: sql<string | null>`case when channel <> 0 then cast(channel as text) end`,
  username: sql<string | null>`nullif(username, '')`,
  token_name: sql<string | null>`nullif(token_name, '')`,
};

interface FacetRow {
  readonly field: LogFacetField;
  readonly value: string;
  readonly rows: number;
}

/** The most frequent values in the newest logs of a filter. */
export class LogFacetRepository {
  readonly #database: Database;
  readonly #limits: { readonly counted: number; readonly read: number };

  constructor(database: Database, limits = { counted: maxCountedLogs, read: maxLogsRead }) {
    this.#database = database;
    this.#limits = limits;
  }

  async read(requestedFilter: LogFilter): Promise<LogFacets> {
    const { counted: max, read } = this.#limits;
    const filter = await narrowLogFilter(this.#database, requestedFilter);
    const { within, oldest } = await searchableTimeRange(this.#database, filter, read);
    const newest = selectLogs(this.#database, { ...filter, within })
      .select(['type', 'status', 'reason', 'model_name', 'channel', 'username', 'token_name'])
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(max + 1);
    // Users do not see channels, and a user's log contains no other users.
    const fields = logFacetFields.filter(
      (field) => filter.exact.user_id === undefined || !operatorFields.includes(field),
    );
    const parts = fields.map(
      (field) => sql`select * from (select ${sql.lit(field)} as field, ${filterTextOf[field]} as value, count(*) as rows
        from newest group by 2 order by 3 desc, 2 limit ${sql.lit(maxValues + 1)}) as ${sql.ref(field)}`,
    );
    const { rows } = await sql<FacetRow & { readonly value: string | null }>`
      with newest as materialized ${newest}
      select '' as field, '' as value, count(*) as rows from newest
      union all ${sql.join(parts, sql` union all `)}`.execute(this.#database);
    const [all, ...values] = rows;
    const counted = Math.min(all?.rows ?? 0, max);
    const found = values.filter((row): row is FacetRow => row.value !== null);
    return {
      counted,
      is_more: (all?.rows ?? 0) > max || oldest > requestedFilter.within.from,
      values: await this.#named(found.filter(isAmongFirst)),
    };
  }

  async #named(rows: readonly FacetRow[]) {
    const ids = rows.filter(({ field }) => field === 'channel').map(({ value }) => Number(value));
    const channels =
      ids.length === 0
        ? []
        : await this.#database.selectFrom('channels').select(['id', 'name']).where('id', 'in', ids).execute();
    const nameOf = (id: string) => channels.find((channel) => String(channel.id) === id)?.name ?? '';
    return rows.map((row) => ({ ...row, name: row.field === 'channel' ? nameOf(row.value) : '' }));
  }
}

/** A field has one more row than values, because logs without a value form a row. */
const isAmongFirst = ({ field, value }: FacetRow, _: number, rows: readonly FacetRow[]): boolean =>
  rows.filter((row) => row.field === field).findIndex((row) => row.value === value) < maxValues;
