import type { ExportedToken } from '@headgate/contract';
import { currentTable } from '../../platform/db/current-tables.ts';
import type { Database } from '../../platform/db/database.ts';
import type { ListSelection, ListSource } from '../../records/exports/list-export.ts';
import { filterTokens, listedTokenColumns, type TokenFilterValues, tokenStatusAt } from './token-repository.ts';

/** Filter of an export: one user's tokens, with their status as of `now`. */
interface TokenExportFilter {
  readonly userId: number;
  readonly now: number;
  readonly chosen: ListSelection<TokenFilterValues>;
}

/** Source for token exports. Keys are not read. */
export class TokenExportRepository implements ListSource<ExportedToken> {
  readonly #database: Database;
  readonly #wanted: TokenExportFilter;

  constructor(database: Database, wanted: TokenExportFilter) {
    this.#database = database;
    this.#wanted = wanted;
  }

  async ids(below: number, max: number): Promise<number[]> {
    const { chosen, now } = this.#wanted;
    const all = this.#own().select('id');
    const some = 'ids' in chosen ? all.where('id', 'in', chosen.ids) : filterTokens(all, chosen.filter, now);
    const rows = await some.where('id', '<', below).orderBy('id', 'desc').limit(max).execute();
    return rows.map(({ id }) => id);
  }

  async rows(ids: readonly number[]): Promise<ExportedToken[]> {
    const rows = await this.#own()
      .select([...listedTokenColumns, tokenStatusAt(this.#wanted.now).as('status')])
      .where('id', 'in', ids)
      .orderBy('id', 'desc')
      .execute();
    return rows.map(({ channels, tags, ...row }) => ({
      ...row,
      unlimited_quota: row.unlimited_quota === 1,
      is_locked: row.is_locked === 1,
      is_bound: channels !== '' || tags !== '',
    }));
  }

  #own() {
    return this.#database.selectFrom(currentTable(this.#database, 'tokens')).where('user_id', '=', this.#wanted.userId);
  }
}
