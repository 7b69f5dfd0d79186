import {
  type Channel,
  type ChannelFields,
  type ChannelFilter,
  channelStatus,
  type LogEvent,
  type LogReason,
  logType,
  splitCommas,
} from '@headgate/contract';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { ManagedGuard } from '../../platform/managed/managed-guard.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { valueChange } from '../../records/bulk/field-change.ts';
import { adminEvent, type EventRecord, type LogService } from '../../records/logs/log-service.ts';
import type { AbilityRepository } from './ability-repository.ts';
import { changedFieldNames, type FieldName } from './channel-fields.ts';
import { toChannelQuery } from './channel-filter.ts';
import { type ChannelCreation, type ChannelUpdate, changedChannel, newChannels } from './channel-input.ts';
import type { ChannelKeyRepository } from './channel-key-repository.ts';
import type { ChannelListing, ChannelRepository, ChannelRow } from './channel-repository.ts';
import { describeChannelChange } from './describe-channel-change.ts';
import {
  changedColumns,
  decryptChannelFields,
  editableChannelFields,
  newChannelRow,
  presentChannel,
} from './encrypted-channel.ts';
import { supportsMultipleKeys } from './key-lines.ts';
import { truncateReason } from './truncate-message.ts';

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
  /** Remaining cooldown of a channel, in milliseconds. */
  readonly cooldownOf: (id: number) => number;
  /** Models of a channel whose circuit breaker is open; an empty name means all models. */
  readonly pausedOn: (id: number) => readonly string[];
}

type PlainChannel = ChannelFields & { readonly id: number; readonly hasKeys: boolean };

/** Reason why a channel was disabled automatically. */
export interface MonitorCause {
  /** Upstream message without secrets. */
  readonly message: string;
  /** Upstream status; 0 if none applies. */
  readonly status: number;
  readonly reason: LogReason | '';
}

interface StatusChange {
  readonly event: LogEvent;
  readonly cause?: MonitorCause | undefined;
}

/** Maximum number of index rows that one call may write. */
const maxAbilities = 100_000;

/** Fields from which the index of groups and models is built. */
const indexedFields: readonly FieldName[] = ['models', 'group', 'status', 'priority', 'weight'];

const disabledStatuses = [channelStatus.disabled, channelStatus.disabledByMonitor] as const;

/** Keys and configs are stored encrypted. No response or log entry contains a key or a secret of a config. */
export class ChannelService {
  readonly #dependencies: ChannelServiceDependencies;

  constructor(dependencies: ChannelServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** A keyword matches an id, a part of the name or a complete key. */
  async page(listing: ChannelListing & { readonly keyword?: string }) {
    const { channels, box } = this.#dependencies;
    const coolingDown = listing.cooling_down ? await this.coolingDown() : [];
    const { rows, total } = await channels.page(listing, toChannelQuery(listing, box, coolingDown));
    return { rows: rows.map((row) => presentChannel(row, box, this.#now(row.id))), total };
  }

  /** Counts by status, plus failing and cooling-down channels if there are any. */
  async counts(): Promise<Record<string, number>> {
    const { channels } = this.#dependencies;
    const [counts, failing, coolingDown] = await Promise.all([
      channels.counts(),
      channels.countFailing(),
      this.coolingDown(),
    ]);
    return {
      ...counts,
      ...(failing > 0 && { failing }),
      ...(coolingDown.length > 0 && { cooling_down: coolingDown.length }),
    };
  }

  /** Enabled channels that are cooling down on this node. */
  async coolingDown(): Promise<readonly number[]> {
    const { channels, cooldownOf } = this.#dependencies;
    return (await channels.ids([channelStatus.enabled])).filter((id) => cooldownOf(id) > 0);
  }

  /** Selection for an export: the filter, or ids when the filter depends on in-memory state. */
  async exported(filter: ChannelFilter): Promise<{ filter: ChannelFilter } | { ids: readonly number[] }> {
    if (!filter.cooling_down) return { filter };
    const { channels, box } = this.#dependencies;
    const ids = await channels.matching(toChannelQuery(filter, box, await this.coolingDown()));
    return { ids: ids.length > 0 ? ids : [0] };
  }

  tags(): Promise<{ tag: string; count: number; enabled: number }[]> {
    return this.#dependencies.channels.tags();
  }

  async find(id: number): Promise<Channel> {
    const { channels, box } = this.#dependencies;
    return presentChannel((await channels.find(id)) ?? notFound(), box, this.#now(id));
  }

  /** State of a channel on this node. */
  #now(id: number) {
    const { cooldownOf, pausedOn } = this.#dependencies;
    return { cooldownMs: cooldownOf(id), paused: pausedOn(id) };
  }

  /** Models that members of any of these groups can use, in order. */
  async availableModels(groups: readonly string[]): Promise<string[]> {
    return (await this.#dependencies.abilities.models(groups)).sort();
  }

  /** Returns the ids of the new channels. */
  async create(admin: Admin, given: ChannelCreation): Promise<number[]> {
    const { channels, abilities, logs, box, inTransaction } = this.#dependencies;
    const created = newChannels(given);
    rejectTooManyAbilities(created[0], created.length);
    const rows = created.map((fields) => newChannelRow(fields, box));
    return inTransaction(async (transaction) => {
      const inserted = await channels.within(transaction).insert(rows);
      const ids = inserted.map(({ id }) => id);
      await abilities.within(transaction).insert(ids, created[0]);
      const records = inserted.map((row) => recordOf(admin, 'channel.created', { channel: channelLabel(row) }, row.id));
      await logs.record(transaction, ...records);
      transaction.changed('channels');
      return ids;
    });
  }

  update(admin: Admin, given: ChannelUpdate): Promise<Channel> {
    const { channels, abilities, logs, box, inTransaction, managed } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const row = (await channels.within(transaction).findForChange(given.id)) ?? notFound();
      await managed.rejectRow(transaction, 'channel', row.id);
      const stored = editableChannelFields(row, box);
      const fields = changedChannel(stored, given);
      const changed = changedFieldNames(stored, fields);
      const isOnlyKey = becomesOnlyKey(row, given, { stored, fields });
      if (changed.length === 0 && !isOnlyKey) return presentChannel(row, box);
      rejectTooManyAbilities(fields);
      const columns = { ...changedColumns(fields, changed, box), ...(isOnlyKey && noKeyRows) };
      await this.#changeKeys(transaction, row.id, { isOnlyKey, isEnabled: columns.status === channelStatus.enabled });
      const updated = await channels.within(transaction).update(row.id, columns);
      const isIndexStale = changed.some((name) => indexedFields.includes(name));
      if (isIndexStale) await abilities.within(transaction).replace(row.id, fields);
      const values = {
        channel: channelLabel(updated),
        fields: describeChannelChange(
          stored,
          fields,
          changed,
          isOnlyKey ? [valueChange('keys', row.key_count, 1)] : [],
        ),
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
      await managed.rejectRow(transaction, 'channel', id);
      await this.#dependencies.keys.within(transaction).lockOf([id]);
      const removed = (await channels.within(transaction).remove(id)) ?? notFound();
      await logs.record(transaction, recordOf(admin, 'channel.deleted', { channel: channelLabel(removed) }, id));
      transaction.changed(`channel:${id}`);
    });
  }

  /** Applies an update to the keys of a channel that has several. */
  async #changeKeys(
    transaction: Transaction,
    id: number,
    { isOnlyKey, isEnabled }: { isOnlyKey: boolean; isEnabled: boolean },
  ) {
    const keys = this.#dependencies.keys.within(transaction);
    if (isOnlyKey) await keys.removeOf(id);
    else if (isEnabled) await keys.reenable([id]);
  }

  /** Returns the count. Channels managed by the configuration file stay. */
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

  /** A channel with its plain-text key, whatever its status, for testing. */
  async open(id: number): Promise<PlainChannel> {
    return (await this.findWithKeyIfExists(id)) ?? notFound();
  }

  /** Undefined when the channel no longer exists. */
  async findWithKeyIfExists(id: number): Promise<PlainChannel | undefined> {
    const { channels, box } = this.#dependencies;
    const row = await channels.find(id);
    return row && { id, hasKeys: row.key_count > 0, ...decryptChannelFields(row, box) };
  }

  /** Names are not unique. */
  idsNamed(name: string): Promise<number[]> {
    return this.#dependencies.channels.idsNamed(name);
  }

  idsToTest(scope: 'all' | 'disabled'): Promise<readonly number[]> {
    return this.#dependencies.channels.ids(scope === 'disabled' ? disabledStatuses : undefined);
  }

  /** Disables or re-enables a channel and stores the reason; never overrides an admin. */
  async setStatusByMonitor(id: number, status: number, cause?: MonitorCause): Promise<string | undefined> {
    const event = cause ? 'channel.disabled_by_monitor' : 'channel.enabled_by_monitor';
    return this.#dependencies.inTransaction((transaction) => this.setStatus(transaction, id, status, { event, cause }));
  }

  /** Variant inside an open transaction. Returns the channel's name; undefined if nothing changed. */
  async setStatus(transaction: Transaction, id: number, status: number, { event, cause }: StatusChange) {
    const { channels, abilities, keys, logs, box } = this.#dependencies;
    const status_reason = truncateReason(cause?.message);
    const row = await channels.within(transaction).findForChange(id);
    if (!row || row.status === channelStatus.disabled || row.status === status) return undefined;
    const updated = await channels.within(transaction).update(id, { status, status_reason });
    await abilities.within(transaction).replace(id, editableChannelFields(updated, box));
    if (status === channelStatus.enabled) await keys.within(transaction).reenable([id]);
    await logs.record(transaction, {
      type: logType.system,
      event,
      user: systemActor,
      values: { channel: channelLabel(updated), reason: status_reason },
      about: { channel: id, status: cause?.status ?? 0, reason: cause?.reason ?? '' },
    });
    transaction.changed(`channel:${id}`);
    return updated.name;
  }

  async recordBalance(id: number, balance: number, balance_updated_time: number): Promise<void> {
    await this.#dependencies.channels.record(id, { balance, balance_updated_time });
  }
}

/** Key columns of a channel with a single key. */
const noKeyRows = { key_count: 0, enabled_key_count: 0 } as const;

/** True if the given key replaces all keys of the channel, so that none of them is sent to a new URL. */
const becomesOnlyKey = (
  { key_count }: ChannelRow,
  given: ChannelUpdate,
  { stored, fields }: { readonly stored: ChannelFields; readonly fields: ChannelFields },
): boolean => key_count > 0 && (Boolean(given.key) || fields.key !== stored.key || !supportsMultipleKeys(fields.type));

/** Actor of automatic changes. */
const systemActor = { id: 0, username: '' } as const;

function notFound(): never {
  throw new ApiError('notFound');
}

/** Rejects a change that writes more index rows than one call may. */
export function rejectTooManyAbilities({ group, models }: ChannelFields, channelCount = 1): void {
  const count = channelCount * splitCommas(group).length * splitCommas(models).length;
  if (count > maxAbilities) throw new ApiError('tooManyAbilities', { max: String(maxAbilities) });
}

export const channelLabel = ({ id, name }: ChannelRow): string => `${name} (#${id})`;

const recordOf = (admin: Admin, event: LogEvent, values: EventRecord['values'], channel = 0) => ({
  ...adminEvent(admin, event, values),
  about: { channel },
});
