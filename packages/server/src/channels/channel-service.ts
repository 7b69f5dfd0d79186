import {
  type Channel,
  type ChannelFilter,
  channelStatus,
  type LogEvent,
  type LogReason,
  logType,
  splitCommas,
} from '@headgate/contract';
import type { LogService } from '../logs/log-service.ts';
import { Refusal } from '../refusal.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { InTransaction } from '../transaction.ts';
import type { AbilityRepository } from './ability-repository.ts';
import { differenceText } from './channel-difference.ts';
import { type ChannelFields, differences, type FieldName } from './channel-fields.ts';
import { type ChannelCreation, type ChannelUpdate, changedChannel, newChannels } from './channel-input.ts';
import type { ChannelListing, ChannelRepository, ChannelRow } from './channel-repository.ts';
import { wishOf } from './channel-wish.ts';
import { changedColumns, fieldsOf, newChannelRow, presentChannel } from './sealed-channel.ts';

export interface Admin {
  readonly id: number;
  readonly username: string;
}

interface ChannelServiceDependencies {
  readonly channels: ChannelRepository;
  readonly abilities: AbilityRepository;
  readonly logs: LogService;
  readonly box: SecretBox;
  readonly inTransaction: InTransaction;
  /** Milliseconds for which requests pass a channel over, because it kept failing. */
  readonly restOf: (id: number) => number;
}

/** Why a channel is switched off without anybody's doing. */
export interface MonitorCause {
  /** What the provider said, without secrets. */
  readonly words: string;
  /** Status of the upstream; 0 when it is about none. */
  readonly status: number;
  readonly reason: LogReason;
}

/** The rows of the index that one call may write. */
const mostAbilities = 100_000;

/** The fields from which the index of groups and models is made. */
const indexedFields: readonly FieldName[] = ['models', 'group', 'status', 'priority', 'weight'];

const disabledStatuses = [channelStatus.disabled, channelStatus.disabledByMonitor] as const;

/** Keys and configs are sealed in the table; no reply and no log carries a key or a secret of a config. */
export class ChannelService {
  readonly #dependencies: ChannelServiceDependencies;

  constructor(dependencies: ChannelServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** A keyword is an id, a part of a name or a whole key. */
  async page(listing: ChannelListing & { readonly keyword?: string }) {
    const { channels, box, restOf } = this.#dependencies;
    const resting = listing.resting ? await this.resting() : [];
    const { rows, total } = await channels.page(listing, wishOf(listing, box, resting));
    return { rows: rows.map((row) => presentChannel(row, box, restOf(row.id))), total };
  }

  /** By status; beside them how many are failing or resting, where some are. */
  async counts(): Promise<Record<string, number>> {
    const { channels } = this.#dependencies;
    const [counts, failing, resting] = await Promise.all([channels.counts(), channels.countFailing(), this.resting()]);
    return {
      ...counts,
      ...(failing > 0 && { failing }),
      ...(resting.length > 0 && { resting: resting.length }),
    };
  }

  /** The channels in use that requests to this node pass over now. */
  async resting(): Promise<readonly number[]> {
    const { channels, restOf } = this.#dependencies;
    return (await channels.ids([channelStatus.enabled])).filter((id) => restOf(id) > 0);
  }

  /** What to export: the filters, or the ids where the filters ask for what the database does not know. */
  async exported(filter: ChannelFilter): Promise<{ filter: ChannelFilter } | { ids: readonly number[] }> {
    if (!filter.resting) return { filter };
    const { channels, box } = this.#dependencies;
    const ids = await channels.matching(wishOf(filter, box, await this.resting()));
    return { ids: ids.length > 0 ? ids : [0] };
  }

  tags(): Promise<{ tag: string; count: number; enabled: number }[]> {
    return this.#dependencies.channels.tags();
  }

  async find(id: number): Promise<Channel> {
    const { channels, box, restOf } = this.#dependencies;
    return presentChannel((await channels.find(id)) ?? notFound(), box, restOf(id));
  }

  /** The channels that may carry requests, their keys open: for the relay alone. */
  async enabled(): Promise<readonly (ChannelFields & { readonly id: number })[]> {
    const { channels, box } = this.#dependencies;
    return (await channels.enabled()).map((row) => ({ id: row.id, ...fieldsOf(row, box) }));
  }

  /** The models that the members of any of these groups can use, in order. */
  async availableModels(groups: readonly string[]): Promise<string[]> {
    return (await this.#dependencies.abilities.models(groups)).sort();
  }

  async create(admin: Admin, given: ChannelCreation): Promise<void> {
    const { channels, abilities, logs, box, inTransaction } = this.#dependencies;
    const created = newChannels(given);
    refuseTooManyAbilities(created[0], created.length);
    const rows = created.map((fields) => newChannelRow(fields, box));
    await inTransaction(async (transaction) => {
      const inserted = await channels.within(transaction).insert(rows);
      const ids = inserted.map(({ id }) => id);
      await abilities.within(transaction).insert(ids, created[0]);
      const records = inserted.map((row) => recordOf(admin, 'channel.created', { channel: nameOf(row) }, row.id));
      await logs.record(transaction, ...records);
      transaction.changed('channels');
    });
  }

  update(admin: Admin, given: ChannelUpdate): Promise<Channel> {
    const { channels, abilities, logs, box, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const row = (await channels.within(transaction).findForChange(given.id)) ?? notFound();
      const stored = fieldsOf(row, box);
      const fields = changedChannel(stored, given);
      const changed = differences(stored, fields);
      if (changed.length === 0) return presentChannel(row, box);
      refuseTooManyAbilities(fields);
      const updated = await channels.within(transaction).update(row.id, changedColumns(fields, changed, box));
      const isIndexStale = changed.some((name) => indexedFields.includes(name));
      if (isIndexStale) await abilities.within(transaction).replace(row.id, fields);
      const values = { channel: nameOf(updated), fields: differenceText(stored, fields, changed) };
      await logs.record(transaction, recordOf(admin, 'channel.updated', values, row.id));
      transaction.changed(`channel:${row.id}`);
      return presentChannel(updated, box);
    });
  }

  async remove(admin: Admin, id: number): Promise<void> {
    const { channels, logs, inTransaction } = this.#dependencies;
    await inTransaction(async (transaction) => {
      const removed = (await channels.within(transaction).remove(id)) ?? notFound();
      await logs.record(transaction, recordOf(admin, 'channel.deleted', { channel: nameOf(removed) }, id));
      transaction.changed(`channel:${id}`);
    });
  }

  /** How many there were. */
  removeDisabled(admin: Admin): Promise<number> {
    const { channels, logs, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const count = await channels.within(transaction).removeDisabled();
      if (count === 0) return 0;
      await logs.record(transaction, recordOf(admin, 'channel.deleted_disabled', { count }));
      transaction.changed('channels');
      return count;
    });
  }

  /** One channel with its key open, whatever its status: for testing it. */
  async open(id: number): Promise<ChannelFields & { readonly id: number }> {
    const { channels, box } = this.#dependencies;
    const row = (await channels.find(id)) ?? notFound();
    return { id, ...fieldsOf(row, box) };
  }

  idsToTest(scope: 'all' | 'disabled'): Promise<readonly number[]> {
    return this.#dependencies.channels.ids(scope === 'disabled' ? disabledStatuses : undefined);
  }

  /** Switches a channel off or on again for a reason that is kept; not over an admin's head. */
  async setStatusByMonitor(id: number, status: number, cause?: MonitorCause): Promise<string | undefined> {
    const { channels, abilities, logs, box, inTransaction } = this.#dependencies;
    const status_reason = cause?.words ?? '';
    return inTransaction(async (transaction) => {
      const row = await channels.within(transaction).findForChange(id);
      if (!row || row.status === channelStatus.disabled || row.status === status) return undefined;
      const updated = await channels.within(transaction).update(id, { status, status_reason });
      await abilities.within(transaction).replace(id, fieldsOf(updated, box));
      await logs.record(transaction, {
        type: logType.system,
        event: cause ? 'channel.disabled_by_monitor' : 'channel.enabled_by_monitor',
        user: nobody,
        values: { channel: nameOf(updated), reason: status_reason },
        about: { channel: id, status: cause?.status ?? 0, reason: cause?.reason ?? '' },
      });
      transaction.changed(`channel:${id}`);
      return updated.name;
    });
  }

  async recordBalance(id: number, balance: number, balance_updated_time: number): Promise<void> {
    await this.#dependencies.channels.record(id, { balance, balance_updated_time });
  }
}

/** Whose doing it is when nobody did it. */
const nobody = { id: 0, username: '' } as const;

function notFound(): never {
  throw new Refusal('notFound');
}

/** Refuses more rows of the index than one call may write. */
export function refuseTooManyAbilities({ group, models }: ChannelFields, channelCount = 1): void {
  const count = channelCount * splitCommas(group).length * splitCommas(models).length;
  if (count > mostAbilities) throw new Refusal('tooManyAbilities', { max: String(mostAbilities) });
}

const nameOf = ({ id, name }: ChannelRow): string => `${name} (#${id})`;

const recordOf = (admin: Admin, event: LogEvent, values: Readonly<Record<string, string | number>>, channel = 0) => ({
  type: logType.management,
  event,
  user: admin,
  about: { channel },
  values: { admin: admin.username, ...values },
});
