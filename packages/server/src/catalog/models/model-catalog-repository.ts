import { channelStatus, logType, outageReasons } from '@headgate/contract';
import { currentTable } from '../../platform/db/current-tables.ts';
import type { Database } from '../../platform/db/database.ts';

/** A model offered by a channel. */
export interface ChannelModel {
  readonly model: string;
  readonly id: number;
  readonly name: string;
  readonly type: number;
  readonly status: number;
}

/** Requests for a model on a channel. */
export interface ModelRequests {
  readonly model: string;
  readonly channel: number;
  readonly type: number;
  readonly requests: number;
}

/** Models of channels, and their recent requests. */
export class ModelCatalogRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** All models of all channels, by channel. */
  offered(): Promise<ChannelModel[]> {
    return this.#offered().execute();
  }

  /** Models that enabled channels offer to one of the groups. */
  offeredTo(groups: readonly string[]): Promise<ChannelModel[]> {
    return this.#offered()
      .where('abilities.group', 'in', groups)
      .where('channels.status', '=', channelStatus.enabled)
      .execute();
  }

  /** Successful requests and outages since an hour. */
  requests(since: number): Promise<ModelRequests[]> {
    return this.#database
      .selectFrom(currentTable(this.#database, 'site_hours'))
      .where('hour', '>=', since)
      .where('channel', '>', 0)
      .where(({ and, eb, or }) =>
        or([
          eb('type', '=', logType.consumption),
          and([eb('type', '=', logType.failure), eb('reason', 'in', outageReasons)]),
        ]),
      )
      .select(['model_name as model', 'channel', 'type'])
      .select(({ fn }) => fn.sum<number>('rows').as('requests'))
      .groupBy(['model_name', 'channel', 'type'])
      .execute();
  }

  #offered() {
    return this.#database
      .selectFrom('abilities')
      .innerJoin('channels', 'channels.id', 'abilities.channel_id')
      .select(['abilities.model', 'channels.id', 'channels.name', 'channels.type', 'channels.status'])
      .distinct()
      .orderBy('channels.id');
  }
}
