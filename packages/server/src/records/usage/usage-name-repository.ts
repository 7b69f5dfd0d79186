import type { UsageHeading, UsageSubject, UsageTotals } from '@headgate/contract';
import type { Database } from '../../platform/db/database.ts';
import type { AggregateRow } from './usage-request.ts';
import { emptyTotals, measures, usageHeading } from './usage-sums.ts';

/** Row and column headings of usage: names of users and channels by id. */
export class UsageNameRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** In the order of the rows. Deleted users and channels are shown by their id. */
  async headings(subject: UsageSubject, rows: readonly AggregateRow[]): Promise<UsageHeading[]> {
    const users =
      subject === 'user' || subject === 'token'
        ? await this.usernames(idsOf(rows, 'user_id'))
        : new Map<number, string>();
    const channels =
      subject === 'channel' ? await this.channels(idsOf(rows, 'channel')) : new Map<number, { name: string }>();
    const userOf = (row: AggregateRow): string => users.get(Number(row.user_id)) ?? `#${row.user_id}`;
    const heading: Record<UsageSubject, (row: AggregateRow) => UsageHeading> = {
      model: ({ model_name = '' }) => usageHeading(String(model_name), String(model_name)),
      group: ({ group = '' }) => usageHeading(String(group), String(group)),
      user: (row) => usageHeading(String(row.user_id), userOf(row)),
      token: (row) => usageHeading(String(row.token_name), String(row.token_name), { username: userOf(row) }),
      tag: ({ tag_value = '' }) => usageHeading(String(tag_value), String(tag_value)),
      channel: ({ channel }) => usageHeading(String(channel), channels.get(Number(channel))?.name ?? `#${channel}`),
    };
    return rows.map((row) => ({ ...heading[subject](row), total: totalOf(row) }));
  }

  /** Usernames by id. */
  async usernames(ids: readonly number[]): Promise<Map<number, string>> {
    if (ids.length === 0) return new Map();
    const users = await this.#database.selectFrom('users').select(['id', 'username']).where('id', 'in', ids).execute();
    return new Map(users.map(({ id, username }) => [id, username]));
  }

  /** Names and types of channels by id. */
  async channels(ids: readonly number[]): Promise<Map<number, { readonly name: string; readonly type: number }>> {
    if (ids.length === 0) return new Map();
    const channels = await this.#database
      .selectFrom('channels')
      .select(['id', 'name', 'type'])
      .where('id', 'in', ids)
      .execute();
    return new Map(channels.map(({ id, name, type }) => [id, { name, type }]));
  }
}

const idsOf = (rows: readonly AggregateRow[], column: 'user_id' | 'channel'): number[] => [
  ...new Set(rows.map((row) => Number(row[column]))),
];

function totalOf(row: AggregateRow): UsageTotals {
  const total = { ...emptyTotals };
  for (const measure of measures) total[measure] = row[measure];
  return total;
}
