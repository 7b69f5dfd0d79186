import type { Redemption } from '@headgate/contract';
import type { Database } from '../../platform/db/database.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { ListSelection, ListSource } from '../../records/exports/list-export.ts';
import { type CodeFilter, filterCodes, presentRedemption } from './redemption-repository.ts';

/** Source for redemption exports, with plain-text codes for distribution. */
export class RedemptionExportRepository implements ListSource<Redemption> {
  readonly #database: Database;
  readonly #chosen: ListSelection<CodeFilter>;
  readonly #box: SecretBox;

  constructor(database: Database, chosen: ListSelection<CodeFilter>, box: SecretBox) {
    this.#database = database;
    this.#chosen = chosen;
    this.#box = box;
  }

  async ids(below: number, max: number): Promise<number[]> {
    const all = this.#database.selectFrom('redemptions').select('id');
    const some =
      'ids' in this.#chosen ? all.where('id', 'in', this.#chosen.ids) : filterCodes(all, this.#chosen.filter);
    const rows = await some.where('id', '<', below).orderBy('id', 'desc').limit(max).execute();
    return rows.map(({ id }) => id);
  }

  async rows(ids: readonly number[]): Promise<Redemption[]> {
    const rows = await this.#database
      .selectFrom('redemptions')
      .selectAll()
      .where('id', 'in', ids)
      .orderBy('id', 'desc')
      .execute();
    return rows.map((row) => presentRedemption(row, this.#box));
  }
}
