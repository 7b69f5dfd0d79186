import {
  type ChannelKey,
  type channelKeyApi,
  channelStatus,
  channelStatuses,
  logType,
  maxKeysPerChannel,
  type Parsed,
} from '@headgate/contract';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { ManagedGuard } from '../../platform/managed/managed-guard.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { changeText, valueChange } from '../../records/bulk/field-change.ts';
import { adminEvent, type EventRecord, type LogService } from '../../records/logs/log-service.ts';
import type { ChannelKeyRepository, ChannelKeyRow } from './channel-key-repository.ts';
import type { ChannelRepository, ChannelRow } from './channel-repository.ts';
import { type Admin, type ChannelService, channelLabel, type MonitorCause } from './channel-service.ts';
import { editableChannelFields } from './encrypted-channel.ts';
import { keyLabel, newKeyRow, presentKey, presentSingleKey, singleKeyState } from './encrypted-key.ts';
import { parseKeyLines, tooManyKeysError } from './key-lines.ts';
import { truncateReason } from './truncate-message.ts';

interface ChannelKeyServiceDependencies {
  readonly channels: ChannelRepository;
  readonly keys: ChannelKeyRepository;
  readonly logs: LogService;
  readonly box: SecretBox;
  readonly inTransaction: InTransaction;
  readonly managed: ManagedGuard;
  /** Enables and disables the channel itself. */
  readonly states: Pick<ChannelService, 'setStatus'>;
  /** Remaining cooldown of a key, in milliseconds. */
  readonly cooldownOf: (key: number) => number;
}

type Given = Parsed<typeof channelKeyApi.add>['body'];
type Change = Parsed<typeof channelKeyApi.update>['body'];

/** A locked channel with its current keys. */
interface LockedKeys {
  readonly row: ChannelRow;
  readonly keys: readonly ChannelKeyRow[];
}

/** Result of an automatic status change of a key. */
export interface KeyStatusChange {
  readonly channel: string;
  /** Name of the key for logs. */
  readonly key: string;
  /** True if the channel was disabled or enabled together with the key. */
  readonly isOfChannel: boolean;
}

/** Maximum number of keys named in a log entry. */
const maxNamedKeys = 20;

/**
 * Several keys of one channel. A channel is enabled while any of its keys is. Responses and log entries never contain a
 * key.
 */
export class ChannelKeyService {
  readonly #dependencies: ChannelKeyServiceDependencies;

  constructor(dependencies: ChannelKeyServiceDependencies) {
    this.#dependencies = dependencies;
  }

  async list(channelId: number): Promise<ChannelKey[]> {
    const { channels, keys, box, cooldownOf } = this.#dependencies;
    const row = (await channels.find(channelId)) ?? notFound();
    if (row.key_count === 0) return [presentSingleKey(row, box)];
    return (await keys.of(channelId)).map((key) => presentKey(key, box, cooldownOf(key.id)));
  }

  /** All keys in plain text, for testing them. */
  async open(channelId: number): Promise<readonly (ChannelKeyRow & { readonly key: string })[]> {
    const { keys, box } = this.#dependencies;
    return (await keys.of(channelId)).map((row) => ({ ...row, key: box.open(row.key_sealed) }));
  }

  add(admin: Admin, channelId: number, { keys: text, replace }: Given) {
    const { keys, box, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const held = await this.#holdForAdmin(transaction, channelId);
      const lines = parseKeyLines(editableChannelFields(held.row, box), text);
      const given = new Map(lines.map((key) => [box.fingerprint(key), key]));
      const known = new Set(held.keys.map((row) => row.key_fingerprint));
      const fresh = [...given].filter(([fingerprint]) => !known.has(fingerprint)).map(([, key]) => key);
      const gone = replace ? held.keys.filter((row) => !given.has(row.key_fingerprint)) : [];
      const count = held.keys.length + fresh.length - gone.length;
      if (count > maxKeysPerChannel) throw tooManyKeysError();
      const outcome = { added: fresh.length, duplicates: lines.length - fresh.length, removed: gone.length };
      if (fresh.length + gone.length === 0) return outcome;
      await this.#makeRows(transaction, held);
      const rows = fresh.map((key) => newKeyRow(channelId, key, box));
      const added = rows.length === 0 ? [] : await keys.within(transaction).insert(rows);
      await this.#removeRows(transaction, held, gone);
      await this.#record(transaction, admin, held.row, { added, removed: gone });
      await this.#settle(transaction, held.row);
      return outcome;
    });
  }

  /** Returns the number of changed keys. */
  update(admin: Admin, channelId: number, { ids, status, weight, cost_percent }: Change): Promise<number> {
    const { keys, logs, box, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const { row, keys: held } = await this.#holdForAdmin(transaction, channelId);
      const change = {
        ...(status !== undefined && { status, status_reason: '' }),
        ...(weight && { weight }),
        ...(cost_percent !== undefined && { cost_percent }),
      };
      const wanted = chosen(held, ids).filter(
        (key) =>
          (status ?? key.status) !== key.status ||
          (weight ?? key.weight) !== key.weight ||
          (cost_percent ?? key.cost_percent) !== key.cost_percent,
      );
      if (wanted.length === 0) return 0;
      const touched = wanted.map(({ id }) => id);
      await keys.within(transaction).update(touched, change);
      const changes = wanted.slice(0, maxNamedKeys).map((key) => changesOf(key, { status, weight, cost_percent }, box));
      const more = wanted.length > maxNamedKeys ? [`… (${wanted.length - maxNamedKeys})`] : [];
      const values = { channel: channelLabel(row), count: wanted.length, changes: [...changes, ...more].join('; ') };
      await logs.record(transaction, recordOf(admin, 'channel.keys_changed', values, channelId));
      await this.#settle(transaction, row);
      return wanted.length;
    });
  }

  /** Returns the number of removed keys. The last one cannot be removed. */
  remove(admin: Admin, channelId: number, ids: readonly number[]): Promise<number> {
    const { inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const held = await this.#holdForAdmin(transaction, channelId);
      const gone = chosen(held.keys, ids);
      if (gone.length === held.keys.length) throw new ApiError('lastKeyStays');
      await this.#removeRows(transaction, held, gone);
      await this.#record(transaction, admin, held.row, { added: [], removed: gone });
      await this.#settle(transaction, held.row);
      return gone.length;
    });
  }

  /** Disables or re-enables a key and stores the reason; never overrides an admin. Undefined when nothing changed. */
  setStatusByMonitor(channelId: number, keyId: number, cause?: MonitorCause): Promise<KeyStatusChange | undefined> {
    const { keys, logs, box, inTransaction } = this.#dependencies;
    const status = cause ? channelStatus.disabledByMonitor : channelStatus.enabled;
    const status_reason = truncateReason(cause?.message);
    return inTransaction(async (transaction) => {
      const held = await this.#lockKeys(transaction, channelId).catch(() => undefined);
      const key = held?.keys.find(({ id }) => id === keyId);
      if (!held || !key || key.status === channelStatus.disabled || key.status === status) return undefined;
      await keys.within(transaction).update([keyId], { status, status_reason });
      const name = keyLabel(key, box);
      await logs.record(transaction, {
        type: logType.system,
        event: cause ? 'channel.key_disabled_by_monitor' : 'channel.key_enabled_by_monitor',
        user: { id: 0, username: '' },
        values: { channel: channelLabel(held.row), key: name, reason: status_reason },
        about: { channel: channelId, status: cause?.status ?? 0, reason: cause?.reason ?? '' },
      });
      const switched = await this.#settle(transaction, held.row, cause);
      return { channel: held.row.name, key: name, isOfChannel: switched !== undefined };
    });
  }

  async #holdForAdmin(transaction: Transaction, channelId: number): Promise<LockedKeys> {
    const held = await this.#lockKeys(transaction, channelId);
    await this.#dependencies.managed.rejectRow(transaction, 'channel', channelId);
    return held;
  }

  /** Locks the channel and its keys until the transaction ends. */
  async #lockKeys(transaction: Transaction, channelId: number): Promise<LockedKeys> {
    const { channels, keys } = this.#dependencies;
    const row = (await channels.within(transaction).findForChange(channelId)) ?? notFound();
    await keys.within(transaction).lockOf([channelId]);
    return { row, keys: row.key_count === 0 ? [onlyKey(row)] : await keys.within(transaction).of(channelId) };
  }

  /** Creates a row for the single key before others are added. */
  async #makeRows(transaction: Transaction, { row, keys: held }: LockedKeys): Promise<void> {
    if (row.key_count > 0) return;
    const rows = held.map(({ id: _id, ...key }) => key);
    await this.#dependencies.keys.within(transaction).insert(rows);
  }

  async #removeRows(transaction: Transaction, { row }: LockedKeys, gone: readonly ChannelKeyRow[]): Promise<void> {
    const keys = this.#dependencies.keys.within(transaction);
    const fingerprints = new Set(gone.map((key) => key.key_fingerprint));
    // A single key has no id before it gets a row.
    const rows =
      row.key_count > 0 ? gone : (await keys.of(row.id)).filter((key) => fingerprints.has(key.key_fingerprint));
    await keys.remove(rows.map(({ id }) => id));
  }

  async #record(
    transaction: Transaction,
    admin: Admin,
    row: ChannelRow,
    { added, removed }: { readonly added: readonly ChannelKeyRow[]; readonly removed: readonly ChannelKeyRow[] },
  ): Promise<void> {
    const record = (event: 'channel.keys_added' | 'channel.keys_removed', rows: readonly ChannelKeyRow[]) => {
      const values = { channel: channelLabel(row), count: rows.length, keys: this.#namesOf(rows) };
      return rows.length === 0 ? [] : [recordOf(admin, event, values, row.id)];
    };
    const records = [...record('channel.keys_added', added), ...record('channel.keys_removed', removed)];
    await this.#dependencies.logs.record(transaction, ...records);
  }

  #namesOf(rows: readonly ChannelKeyRow[]): string {
    const names = rows.slice(0, maxNamedKeys).map((row) => keyLabel(row, this.#dependencies.box));
    return [...names, ...(rows.length > maxNamedKeys ? [`… (${rows.length - maxNamedKeys})`] : [])].join(', ');
  }

  /**
   * Updates the channel's key columns and notifies all nodes. Returns the channel's name if it was disabled with its
   * last key, or enabled again.
   */
  async #settle(transaction: Transaction, before: ChannelRow, cause?: MonitorCause): Promise<string | undefined> {
    const { channels, keys, states } = this.#dependencies;
    await keys.within(transaction).updateChannels([before.id]);
    transaction.changed(`channel:${before.id}`);
    const now = (await channels.within(transaction).find(before.id)) ?? notFound();
    const isUp = now.enabled_key_count > 0;
    const wasUp =
      before.key_count === 0 ? before.status !== channelStatus.disabledByMonitor : before.enabled_key_count > 0;
    if (isUp === wasUp) return undefined;
    if (isUp && before.status === channelStatus.disabledByMonitor)
      return states.setStatus(transaction, before.id, channelStatus.enabled, { event: 'channel.enabled_with_key' });
    if (isUp || before.status !== channelStatus.enabled) return undefined;
    const off = channelStatus.disabledByMonitor;
    return cause
      ? states.setStatus(transaction, before.id, off, { event: 'channel.disabled_by_monitor', cause })
      : states.setStatus(transaction, before.id, off, { event: 'channel.disabled_without_key', cause: noKeyEnabled });
  }
}

const noKeyEnabled: MonitorCause = { message: 'All of its keys are disabled', status: 0, reason: '' };

/**
 * A single key as a row. If the channel was disabled automatically, the key gets that status, because it may be the
 * cause.
 */
const onlyKey = (row: ChannelRow) => {
  const { id: channel_id, key_sealed, key_fingerprint, status, status_reason } = row;
  const isOff = status === channelStatus.disabledByMonitor;
  return {
    ...singleKeyState(row),
    channel_id,
    key_sealed,
    key_fingerprint,
    status: isOff ? status : channelStatus.enabled,
    status_reason: isOff ? status_reason : '',
  };
};

function chosen(keys: readonly ChannelKeyRow[], ids: readonly number[]): readonly ChannelKeyRow[] {
  const wanted = new Set(ids);
  const found = keys.filter(({ id }) => wanted.has(id));
  if (found.length < wanted.size) throw new ApiError('notFound');
  return found;
}

const statusName = (status: number): string => channelStatuses[status]?.label ?? String(status);

function changesOf(
  key: ChannelKeyRow,
  { status, weight, cost_percent: cost }: Pick<Change, 'status' | 'weight' | 'cost_percent'>,
  box: SecretBox,
): string {
  const ofStatus = status !== undefined && status !== key.status;
  const ofCost = cost !== undefined && cost !== key.cost_percent;
  const ofWeight = weight !== undefined && weight !== key.weight;
  const changes = [
    ...(ofStatus ? [valueChange('status', statusName(key.status), statusName(status))] : []),
    ...(ofWeight ? [valueChange('weight', key.weight, weight)] : []),
    ...(ofCost ? [valueChange('cost_percent', key.cost_percent, cost)] : []),
  ];
  return `${keyLabel(key, box)}: ${changes.map(changeText).join(', ')}`;
}

function notFound(): never {
  throw new ApiError('notFound');
}

const recordOf = (
  admin: Admin,
  event: 'channel.keys_added' | 'channel.keys_changed' | 'channel.keys_removed',
  values: EventRecord['values'],
  channel: number,
) => ({ ...adminEvent(admin, event, values), about: { channel } });
