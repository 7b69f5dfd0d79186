import { setImmediate as othersTurn } from 'node:timers/promises';
import { channelStatus, splitCommas } from '@headgate/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

interface Served {
  readonly group: string;
  readonly models: string;
}

const rowsPerStatement = 5000;

/** Index of channels by group and model. Deleting a channel deletes its rows. */
export class AbilityRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): AbilityRepository {
    return new AbilityRepository(transaction.database);
  }

  /** Inserts the rows of new channels that serve the same groups and models. */
  async insert(channelIds: readonly number[], { group, models }: Served): Promise<void> {
    const groups = splitCommas(group);
    for (const someModels of inParts(splitCommas(models), rowsPerStatement / groups.length)) {
      for (const someIds of inParts(channelIds, rowsPerStatement / (groups.length * someModels.length))) {
        await this.#insert(someIds, groups, someModels);
        // SQLite runs in this thread, so large inserts yield to other work between batches.
        await othersTurn();
      }
    }
  }

  /** Replaces the rows of a channel; must run in the transaction that changes it. */
  async replace(channelId: number, served: Served): Promise<void> {
    await this.#database.deleteFrom('abilities').where('channel_id', '=', channelId).execute();
    await this.insert([channelId], served);
  }

  /** The same for many channels with different groups and models. */
  async replaceMany(channels: readonly (Served & { readonly id: number })[]): Promise<void> {
    const ids = channels.map(({ id }) => id);
    await this.#database.deleteFrom('abilities').where('channel_id', 'in', ids).execute();
    for (const part of inParts(channels.flatMap(servedRows), rowsPerStatement)) {
      await sql`
        with served (channel_id, group_name, model_name) as (values ${sql.join(part)})
        insert into abilities ("group", model, channel_id, enabled, priority, weight)
        select served.group_name, served.model_name, channels.id, ${isEnabled}, channels.priority, channels.weight
        from served join channels on channels.id = served.channel_id`.execute(this.#database);
      await othersTurn();
    }
  }

  /** Updates the enabled flag, priority and weight of these channels' rows. */
  async refresh(channelIds: readonly number[]): Promise<void> {
    await sql`
      update abilities set enabled = ${isEnabled}, priority = channels.priority, weight = channels.weight
      from channels where channels.id = abilities.channel_id and channels.id in (${sql.join(channelIds)})`.execute(
      this.#database,
    );
  }

  /** Models that an enabled channel of one of the groups serves. */
  async models(groups: readonly string[]): Promise<string[]> {
    if (groups.length === 0) return [];
    const rows = await this.#database
      .selectFrom('abilities')
      .select('model')
      .distinct()
      .where('enabled', '=', 1)
      .where('group', 'in', groups)
      .execute();
    return rows.map(({ model }) => model);
  }

  async #insert(channelIds: readonly number[], groups: readonly string[], models: readonly string[]): Promise<void> {
    await sql`
      with served_group (name) as (${valuesOf(groups)}), served_model (name) as (${valuesOf(models)})
      insert into abilities ("group", model, channel_id, enabled, priority, weight)
      select served_group.name, served_model.name, channels.id,
        ${isEnabled}, channels.priority, channels.weight
      from channels cross join served_group cross join served_model
      where channels.id in (${sql.join(channelIds)})`.execute(this.#database);
  }
}

const isEnabled = sql`case when channels.status = ${sql.lit(channelStatus.enabled)} then 1 else 0 end`;

const servedRows = ({ id, group, models }: Served & { readonly id: number }) =>
  splitCommas(group).flatMap((name) =>
    splitCommas(models).map((model) => sql`(cast(${id} as bigint), cast(${name} as text), cast(${model} as text))`),
  );

const valuesOf = (names: readonly string[]) =>
  sql`values ${sql.join(names.map((name) => sql`(cast(${name} as text))`))}`;

function* inParts<T>(list: readonly T[], length: number): Generator<readonly T[]> {
  const step = Math.max(1, Math.floor(length));
  for (let start = 0; start < list.length; start += step) yield list.slice(start, start + step);
}
