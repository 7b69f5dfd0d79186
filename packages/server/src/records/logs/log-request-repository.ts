import { currentTable } from '../../platform/db/current-tables.ts';
import type { Database } from '../../platform/db/database.ts';
import { containsText } from '../../platform/db/paging.ts';
import { logCondition } from './log-condition-repository.ts';
import { type LogFilter, maxNameOwners } from './log-filter.ts';
import { overlap, type Span } from './time-span.ts';

/** Finds the users with logs under a username or token name, because logs are indexed by user id and not by name. */
class LogNameRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Restricts a filter by name to the users with that name, if they are few. */
  async narrow(filter: LogFilter): Promise<LogFilter> {
    const { user_id, username, token_name } = filter.exact;
    const { username: partOfUsername, token_name: partOfTokenName } = filter.containing ?? {};
    const exact = { ...(username !== undefined && { username }), ...(token_name !== undefined && { token_name }) };
    const parts = [
      ...(partOfUsername === undefined ? [] : [['username', partOfUsername] as const]),
      ...(partOfTokenName === undefined ? [] : [['token_name', partOfTokenName] as const]),
    ];
    if (user_id !== undefined || Object.keys(exact).length + parts.length === 0) return filter;
    const owners = await this.#database
      .selectFrom(currentTable(this.#database, 'log_names'))
      .select('user_id')
      .distinct()
      .where((where) =>
        where.and([where.and(exact), ...parts.map(([column, text]) => containsText(where, column, text))]),
      )
      .limit(maxNameOwners + 1)
      .execute();
    return owners.length > maxNameOwners ? filter : { ...filter, users: owners.map((owner) => owner.user_id) };
  }
}

/** Logs are written when their request ends, and hardly any request takes longer than this. */
const maxRequestSeconds = 6 * 3600;

/** Tolerance for clocks that are set back. */
const clockSeconds = 60;

/** Maximum number of logs scanned for a request id, because request ids are not indexed. */
const maxScannedLogs = 100_000;

/** Number of newest logs whose content is searched; substrings are not indexed. */
const newestSearched = 20_000;

/** Maximum number of logs checked against conditions without an index. */
export const maxLogsRead = 200_000;

/** Maximum number of channels that a name filter matches. */
const maxChannels = 100;

/** Narrows a filter to the only users and channels that can match and to the time range of the matching logs. */
export async function narrowLogFilter(
  database: Database,
  requestedFilter: LogFilter,
  max = maxLogsRead,
): Promise<LogFilter> {
  const ofOwners = await new LogNameRepository(database).narrow(requestedFilter);
  const filter = await narrowChannels(database, ofOwners);
  const { request_id } = filter.exact;
  if (request_id !== undefined)
    return { ...filter, within: await new LogRequestRepository(database, filter).timeOf(request_id) };
  if (filter.text === undefined && filter.tags === undefined) return filter;
  const { within } = await searchableTimeRange(database, filter, max);
  const oldest = await timeOfNewest(database, { ...filter, within, text: undefined, tags: undefined }, newestSearched);
  return { ...filter, within: overlap(within, { from: oldest ?? 0, to: within.to }) };
}

async function narrowChannels(database: Database, { channelName, ...filter }: LogFilter): Promise<LogFilter> {
  if (channelName === undefined) return filter;
  const rows = await database
    .selectFrom('channels')
    .select('id')
    .where((where) => containsText(where, 'name', channelName))
    .orderBy('id')
    .limit(maxChannels)
    .execute();
  return { ...filter, channels: rows.map(({ id }) => id) };
}

/** Time of the newest matching log after the first `count`; undefined if there are no more. */
async function timeOfNewest(database: Database, filter: LogFilter, count: number): Promise<number | undefined> {
  const last = await database
    .selectFrom('logs')
    .select('created_at')
    .where((where) => logCondition(where, filter))
    .where('created_at', '>=', filter.within.from)
    .where('created_at', '<=', filter.within.to)
    .orderBy('created_at', 'desc')
    .offset(count)
    .limit(1)
    .executeTakeFirst();
  return last?.created_at;
}

/**
 * Time range of the newest logs that an index finds for a filter. Conditions without an index are only checked on
 * these, so that a query reads a limited number of logs.
 */
export async function searchableTimeRange(
  database: Database,
  { exact, within, users, channels }: LogFilter,
  max: number,
) {
  const { user_id, model_name, channel } = exact;
  const indexed = Object.fromEntries(
    Object.entries({ user_id, model_name, channel }).filter(([, value]) => value !== undefined),
  );
  const scope = { exact: indexed, within, ...(users && { users }), ...(channels && { channels }) };
  const oldest = (await timeOfNewest(database, scope, max)) ?? 0;
  return { oldest, within: { from: Math.max(within.from, oldest), to: within.to } };
}

/** Finds the time range of a request by its id. */
class LogRequestRepository {
  readonly #database: Database;
  readonly #filter: LogFilter;

  constructor(database: Database, filter: LogFilter) {
    this.#database = database;
    this.#filter = filter;
  }

  /** The range starts at the time in the request id. Ids without a time are searched among the newest logs. */
  async timeOf(requestId: string): Promise<Span> {
    const { within } = this.#filter;
    const began = beginningOf(requestId);
    if (began === undefined) return { from: (await this.#created('desc', within)) ?? within.from, to: within.to };
    const span = overlap(within, { from: began - clockSeconds, to: began + maxRequestSeconds });
    return { from: span.from, to: (await this.#created('asc', span)) ?? span.to };
  }

  /** Time of the last log within the scan limit; undefined if there are fewer logs. */
  async #created(direction: 'asc' | 'desc', { from, to }: Span): Promise<number | undefined> {
    const { user_id } = this.#filter.exact;
    const logs = this.#database.selectFrom('logs').select('created_at');
    const last = await (user_id === undefined ? logs : logs.where('user_id', '=', user_id))
      .where('created_at', '>=', from)
      .where('created_at', '<=', to)
      .orderBy('created_at', direction)
      .offset(maxScannedLogs)
      .limit(1)
      .executeTakeFirst();
    return last?.created_at;
  }
}

/** Unix seconds from a version 7 UUID. */
function beginningOf(requestId: string): number | undefined {
  const digits = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.exec(requestId);
  return digits ? Math.floor(Number.parseInt(`${digits[1]}${digits[2]}`, 16) / 1000) : undefined;
}
