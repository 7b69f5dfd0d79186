import type { ChannelFilter, ExportedChannel } from '@headgate/contract';
import { currentTable } from '../../platform/db/current-tables.ts';
import type { Database } from '../../platform/db/database.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { ListSelection, ListSource } from '../../records/exports/list-export.ts';
import { toChannelQuery } from './channel-filter.ts';
import { filterChannels } from './channel-repository.ts';
import { omitRuleSecrets } from './encrypted-channel.ts';

/** Source for channel exports, without keys and configs. */
export class ChannelExportRepository implements ListSource<ExportedChannel> {
  readonly #database: Database;
  readonly #chosen: ListSelection<ChannelFilter>;
  /** Needed to search by key and to read rules. */
  readonly #box: SecretBox;

  constructor(database: Database, chosen: ListSelection<ChannelFilter>, box: SecretBox) {
    this.#database = database;
    this.#chosen = chosen;
    this.#box = box;
  }

  async ids(below: number, max: number): Promise<number[]> {
    const all = this.#database.selectFrom('channels').select('id');
    const chosen = this.#chosen;
    const some =
      'ids' in chosen
        ? all.where('id', 'in', chosen.ids)
        : filterChannels(all, toChannelQuery(chosen.filter, this.#box));
    const rows = await some.where('id', '<', below).orderBy('id', 'desc').limit(max).execute();
    return rows.map(({ id }) => id);
  }

  async rows(ids: readonly number[]): Promise<ExportedChannel[]> {
    const rows = await this.#database
      .selectFrom(currentTable(this.#database, 'channels'))
      .selectAll()
      .where('id', 'in', ids)
      .orderBy('id', 'desc')
      .execute();
    return rows.map(({ key_sealed: _key, key_fingerprint: _fingerprint, config_sealed: _config, ...row }) => ({
      ...row,
      rules: omitRuleSecrets(row.rules, this.#box),
      is_failing: row.is_failing === 1,
    }));
  }
}
