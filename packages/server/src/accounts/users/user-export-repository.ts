import { type User, userStatus } from '@headgate/contract';
import { currentTable } from '../../platform/db/current-tables.ts';
import type { Database } from '../../platform/db/database.ts';
import type { ListSelection, ListSource } from '../../records/exports/list-export.ts';
import { filterUsers, type UserFilterValues } from './user-filter-repository.ts';
import { presentUser } from './user-repository.ts';

export class UserExportRepository implements ListSource<User> {
  readonly #database: Database;
  readonly #chosen: ListSelection<UserFilterValues>;

  constructor(database: Database, chosen: ListSelection<UserFilterValues>) {
    this.#database = database;
    this.#chosen = chosen;
  }

  async ids(below: number, max: number): Promise<number[]> {
    const all = this.#living().select('id');
    const some =
      'ids' in this.#chosen ? all.where('id', 'in', this.#chosen.ids) : filterUsers(all, this.#chosen.filter);
    const rows = await some.where('id', '<', below).orderBy('id', 'desc').limit(max).execute();
    return rows.map(({ id }) => id);
  }

  async rows(ids: readonly number[]): Promise<User[]> {
    const rows = await this.#living().selectAll().where('id', 'in', ids).orderBy('id', 'desc').execute();
    return rows.map(presentUser);
  }

  #living() {
    return this.#database
      .selectFrom(currentTable(this.#database, 'users'))
      .where('kind', '=', 'person')
      .where('status', '!=', userStatus.deleted);
  }
}
