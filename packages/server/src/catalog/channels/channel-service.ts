import {
  type Channel,
  type ChannelFilter,
  channelStatus,
  type LogEvent,
  type LogReason,
  logType,
  splitCommas,
} from '@headgate/contract';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { Refusal } from '../../platform/errors/refusal.ts';
import type { ManagedGuard } from '../../platform/managed/managed-guard.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { valueChange } from '../../records/bulk/field-change.ts';
import type { LogService } from '../../records/logs/log-service.ts';
import type { AbilityRepository } from './ability-repository.ts';
import { differenceText } from './channel-difference.ts';
import { type ChannelFields, differences, type FieldName } from './channel-fields.ts';
import { type ChannelCreation, type ChannelUpdate, changedChannel, newChannels } from './channel-input.ts';
import type { ChannelKeyRepository } from './channel-key-repository.ts';
import type { ChannelListing, ChannelRepository, ChannelRow } from './channel-repository.ts';
import { wishOf } from './channel-wish.ts';
import { mayHaveKeys } from './key-lines.ts';
import { changedColumns, fieldsOf, newChannelRow, presentChannel } from './sealed-channel.ts';
import { storableReason } from './storable-message.ts';

export interface Admin {
  readonly id: number;
  readonly username: string;
}

interface ChannelServiceDependencies {
  readonly channels: ChannelRepository;
  readonly abilities: AbilityRepository;
  readonly keys: ChannelKeyRepository;
  readonly logs: LogService;
  readonly box: SecretBox;
  readonly inTransaction: InTransaction;
  readonly managed: ManagedGuard;
  /** Milliseconds for which requests pass a channel over, because it kept failing. */
  readonly restOf: (id: number) => number;
  /** The models that requests to a channel pass over; an empty name: all of them. */
  readonly pausedOn: (id: number) => readonly string[];
}

/** One of several keys, open. */
export interface OpenKey {
  readonly id: number;
  readonly weight: number;
  readonly key: string;
}

type OpenChannel = ChannelFields & { readonly id: number; readonly hasKeys: boolean };

type EnabledChannel = ChannelFields & { readonly id: number; readonly keys?: readonly [OpenKey, ...OpenKey[]] };

/** Why a channel is switched off without anybody's doing. */
export interface MonitorCause {
  /** What the provider said, without secrets. */
  readonly words: string;
  /** Status of the upstream; 0 when it is about none. */
  readonly status: number;
  readonly reason: LogReason | '';
}

interface StatusChange {
  readonly event: LogEvent;
  readonly cause?: MonitorCause | undefined;
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
    const { channels, box } = this.#dependencies;
    const resting = listing.resting ? await this.resting() : [];
    const { rows, total } = await channels.page(listing, wishOf(listing, box, resting));
    return { rows: rows.map((row) => presentChannel(row, box, this.#now(row.id))), total };
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
    const { channels, box } = this.#dependencies;
    return presentChannel((await channels.find(id)) ?? notFound(), box, this.#now(id));
  }

  /** What this node knows of a channel beside its row. */
  #now(id: number) {
    const { restOf, pausedOn } = this.#dependencies;
    return { restMs: restOf(id), paused: pausedOn(id) };
  }

  /** The channels that may carry requests, their keys open: for the relay alone. One without an enabled key may not. */
  async enabled(): Promise<readonly EnabledChannel[]> {
    const { channels, keys, box } = this.#dependencies;
    const rows = await channels.enabled();
    const several = rows.some((row) => row.key_count > 0) ? await keys.enabled() : [];
    const byChannel = Map.groupBy(several, (key) => key.channel_id);
    const open = ({ id, weight, key_sealed }: (typeof several)[number]) => ({ id, weight, key: box.open(key_sealed) });
    return rows.flatMap((row) => {
      const channel = { id: row.id, ...fieldsOf(row, box) };
      if (row.key_count === 0) return [channel];
      const [first, ...others] = (byChannel.get(row.id) ?? []).map(open);
      return first ? [{ ...channel, keys: [first, ...others] }] : [];
    });
  }

  /** What the channels offer that were disabled automatically. */
  disabledByMonitor(): ReturnType<ChannelRepository['disabledByMonitor']> {
    return this.#dependencies.channels.disabledByMonitor();
  }

  /** The models that the members of any of these groups can use, in order. */
  async availableModels(groups: readonly string[]): Promise<string[]> {
    return (await this.#dependencies.abilities.models(groups)).sort();
  }

  /** The ids of what was made. */
  async create(admin: Admin, given: ChannelCreation): Promise<number[]> {
    const { channels, abilities, logs, box, inTransaction } = this.#dependencies;
    const created = newChannels(given);
    refuseTooManyAbilities(created[0], created.length);
    const rows = created.map((fields) => newChannelRow(fields, box));
    return inTransaction(async (transaction) => {
      const inserted = await channels.within(transaction).insert(rows);
      const ids = inserted.map(({ id }) => id);
      await abilities.within(transaction).insert(ids, created[0]);
      const records = inserted.map((row) => recordOf(admin, 'channel.created', { channel: nameOf(row) }, row.id));
      await logs.record(transaction, ...records);
      transaction.changed('channels');
      return ids;
    });
  }

  update(admin: Admin, given: ChannelUpdate): Promise<Channel> {
    const { channels, abilities, logs, box, inTransaction, managed } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const row = (await channels.within(transaction).findForChange(given.id)) ?? notFound();
      await managed.refuseRow(transaction, 'channel', row.id);
      const stored = fieldsOf(row, box);
      const fields = changedChannel(stored, given);
      const changed = differences(stored, fields);
      const isOnlyKey = becomesOnlyKey(row, given, { stored, fields });
      if (changed.length === 0 && !isOnlyKey) return presentChannel(row, box);
      refuseTooManyAbilities(fields);
      const columns = { ...changedColumns(fields, changed, box), ...(isOnlyKey && noKeyRows) };
      await this.#changeKeys(transaction, row.id, { isOnlyKey, isEnabled: columns.status === channelStatus.enabled });
      const updated = await channels.within(transaction).update(row.id, columns);
      const isIndexStale = changed.some((name) => indexedFields.includes(name));
      if (isIndexStale) await abilities.within(transaction).replace(row.id, fields);
      const values = {
        channel: nameOf(updated),
        fields: differenceText(stored, fields, changed, isOnlyKey ? [valueChange('keys', row.key_count, 1)] : []),
      };
      await logs.record(transaction, recordOf(admin, 'channel.updated', values, row.id));
      transaction.changed(`channel:${row.id}`);
      return presentChannel(updated, box);
    });
  }

  async remove(admin: Admin, id: number): Promise<void> {
    const { channels, logs, inTransaction, managed } = this.#dependencies;
    await inTransaction(async (transaction) => {
      await channels.within(transaction).findForChange(id);
      await managed.refuseRow(transaction, 'channel', id);
      await this.#dependencies.keys.within(transaction).lockOf([id]);
      const removed = (await channels.within(transaction).remove(id)) ?? notFound();
      await logs.record(transaction, recordOf(admin, 'channel.deleted', { channel: nameOf(removed) }, id));
      transaction.changed(`channel:${id}`);
    });
  }

  /** What a change of a channel means for its keys, where it has several. */
  async #changeKeys(
    transaction: Transaction,
    id: number,
    { isOnlyKey, isEnabled }: { isOnlyKey: boolean; isEnabled: boolean },
  ) {
    const keys = this.#dependencies.keys.within(transaction);
    if (isOnlyKey) await keys.removeOf(id);
    else if (isEnabled) await keys.revive([id]);
  }

  /** How many there were; what a configuration file manages stays. */
  removeDisabled(admin: Admin): Promise<number> {
    const { channels, logs, inTransaction, managed } = this.#dependencies;
    return inTransaction(async (transaction) => {
      await managed.hold(transaction);
      const count = await channels.within(transaction).removeDisabled();
      if (count === 0) return 0;
      await logs.record(transaction, recordOf(admin, 'channel.deleted_disabled', { count }));
      transaction.changed('channels');
      return count;
    });
  }

  /** One channel with its key open, whatever its status: for testing it. */
  async open(id: number): Promise<OpenChannel> {
    return (await this.openIfThere(id)) ?? notFound();
  }

  /** The same of one that may be gone. */
  async openIfThere(id: number): Promise<OpenChannel | undefined> {
    const { channels, box } = this.#dependencies;
    const row = await channels.find(id);
    return row && { id, hasKeys: row.key_count > 0, ...fieldsOf(row, box) };
  }

  /** Names are not unique. */
  idsNamed(name: string): Promise<number[]> {
    return this.#dependencies.channels.idsNamed(name);
  }

  idsToTest(scope: 'all' | 'disabled'): Promise<readonly number[]> {
    return this.#dependencies.channels.ids(scope === 'disabled' ? disabledStatuses : undefined);
  }

  /** Switches a channel off or on again for a reason that is kept; not over an admin's head. */
  async setStatusByMonitor(id: number, status: number, cause?: MonitorCause): Promise<string | undefined> {
    const event = cause ? 'channel.disabled_by_monitor' : 'channel.enabled_by_monitor';
    return this.#dependencies.inTransaction((transaction) => this.setStatus(transaction, id, status, { event, cause }));
  }

  /** The same within other work. Gives the name of the channel; undefined when nothing changed. */
  async setStatus(transaction: Transaction, id: number, status: number, { event, cause }: StatusChange) {
    const { channels, abilities, keys, logs, box } = this.#dependencies;
    const status_reason = storableReason(cause?.words);
    const row = await channels.within(transaction).findForChange(id);
    if (!row || row.status === channelStatus.disabled || row.status === status) return undefined;
    const updated = await channels.within(transaction).update(id, { status, status_reason });
    await abilities.within(transaction).replace(id, fieldsOf(updated, box));
    if (status === channelStatus.enabled) await keys.within(transaction).revive([id]);
    await logs.record(transaction, {
      type: logType.system,
      event,
      user: nobody,
      values: { channel: nameOf(updated), reason: status_reason },
      about: { channel: id, status: cause?.status ?? 0, reason: cause?.reason ?? '' },
    });
    transaction.changed(`channel:${id}`);
    return updated.name;
  }

  async recordBalance(id: number, balance: number, balance_updated_time: number): Promise<void> {
    await this.#dependencies.channels.record(id, { balance, balance_updated_time });
  }
}

/** The columns of a channel whose only key has no row. */
const noKeyRows = { key_count: 0, enabled_key_count: 0 } as const;

/** Whether the key that a change gives a channel with several takes the place of all: none of them goes where it did not. */
const becomesOnlyKey = (
  { key_count }: ChannelRow,
  given: ChannelUpdate,
  { stored, fields }: { readonly stored: ChannelFields; readonly fields: ChannelFields },
): boolean => key_count > 0 && (Boolean(given.key) || fields.key !== stored.key || !mayHaveKeys(fields.type));

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

export const nameOf = ({ id, name }: ChannelRow): string => `${name} (#${id})`;

const recordOf = (admin: Admin, event: LogEvent, values: Readonly<Record<string, string | number>>, channel = 0) => ({
  type: logType.management,
  event,
  user: admin,
  about: { channel },
  values: { admin: admin.username, ...values },
});
