import { isDeepStrictEqual } from 'node:util';
import {
  type BulkFieldChange,
  type BulkReport,
  type ChannelBulkChange,
  type ChannelFields,
  type channelBulkApi,
  channelStatus,
  type LogEvent,
  maxBulkRows,
  type Parsed,
  splitCommas,
} from '@headgate/contract';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError, type Language } from '../../platform/errors/api-error.ts';
import { type ManagedGuard, managedByFileError } from '../../platform/managed/managed-guard.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import {
  bulkReport,
  hasChanges,
  missingRows,
  planBulkRow,
  type RowPlan,
  requireExpectedCount,
  requireUnchangedPlan,
  type UndoRow,
} from '../../records/bulk/bulk-plan.ts';
import type { BulkRunService } from '../../records/bulk/bulk-run-service.ts';
import { changeText, listChange, valueChange } from '../../records/bulk/field-change.ts';
import { adminEvent, type LogService } from '../../records/logs/log-service.ts';
import type { AbilityRepository } from './ability-repository.ts';
import type { ChannelBulkRepository, ChannelSelection } from './channel-bulk-repository.ts';
import { changedFieldNames, type FieldName } from './channel-fields.ts';
import { toChannelQuery } from './channel-filter.ts';
import { type ChannelUpdate, changedChannel } from './channel-input.ts';
import type { ChannelKeyRepository } from './channel-key-repository.ts';
import type { ChannelChange, ChannelRow } from './channel-repository.ts';
import { type Admin, rejectTooManyAbilities } from './channel-service.ts';
import { changedColumns, decryptChannelFields, editableChannelFields } from './encrypted-channel.ts';

type CopiedSettings = Exclude<ChannelBulkChange, { readonly kind: 'delete' }>;

/** Update for one channel in a bulk edit. `source` is the channel that settings are copied from. */
function bulkChannelUpdate(
  change: CopiedSettings,
  stored: ChannelFields,
  source: ChannelFields | undefined,
): Omit<ChannelUpdate, 'id'> {
  switch (change.kind) {
    case 'models':
      return { models: changedList(stored.models, change.how, change.models) };
    case 'group':
      return { group: changedList(stored.group, change.how, change.group) };
    case 'copy':
      return source ? Object.fromEntries(change.settings.map((name) => [name, source[name]])) : {};
    default: {
      const { kind: _kind, ...given } = change;
      return given;
    }
  }
}

function changedList(stored: string, how: 'add' | 'remove' | 'replace', given: string): string {
  const names = splitCommas(given);
  const before = splitCommas(stored);
  if (how === 'replace') return names.join(',');
  if (how === 'remove') return before.filter((name) => !names.includes(name)).join(',');
  return [...new Set([...before, ...names])].join(',');
}

const lists: readonly FieldName[] = ['models', 'group'];

/** Changed fields for display; none of them is secret. */
const describeChanges = (
  before: ChannelFields,
  after: ChannelFields,
  changed: readonly FieldName[],
): BulkFieldChange[] =>
  changed.map((name) =>
    lists.includes(name)
      ? listChange(name, String(before[name]), String(after[name]))
      : valueChange(name, before[name], after[name]),
  );

/** Planned change of one channel. A failed or deleted one has nothing to write. */
interface ChannelPlan extends RowPlan {
  readonly row?: ChannelRow;
  readonly change?: ChannelChange;
}

/** Restores the previous values; throws if a channel has changed since. */
function planChannelUndo(rows: readonly ChannelRow[], kept: readonly UndoRow[]): ChannelPlan[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const others = kept.filter(({ id, after }) => !isAs(byId.get(id), after));
  if (others.length > 0) {
    const names = others.slice(0, 3).map(({ id }) => byId.get(id)?.name ?? `#${id}`);
    throw new ApiError('undoTooLate', { count: String(others.length), names: names.join(', ') });
  }
  return kept.flatMap(({ id, before, after }) => {
    const row = byId.get(id);
    return row ? [{ id, name: row.name, row, change: before as ChannelChange, changes: shown(after, before) }] : [];
  });
}

const isAs = (row: ChannelRow | undefined, columns: UndoRow['after']): boolean =>
  row !== undefined &&
  Object.entries(columns).every(([name, value]) => isDeepStrictEqual(row[name as keyof ChannelRow], value));

const shown = (before: UndoRow['before'], after: UndoRow['after']) =>
  Object.keys(after).flatMap((name) => {
    if (name === 'status_reason') return [];
    const isList = name === 'models' || name === 'group';
    return isList
      ? listChange(name, String(before[name]), String(after[name]))
      : valueChange(name, before[name], after[name]);
  });

/** One log entry per channel, with old and new values. */
const channelLogEntries = (admin: Admin, plan: readonly ChannelPlan[], event: LogEvent) =>
  plan.map(({ id, name, changes }) => ({
    ...adminEvent(admin, event, { channel: `${name} (#${id})`, changes: changes.map(changeText).join('; ') }),
    about: { channel: id },
  }));

type BulkRequest = Parsed<typeof channelBulkApi.run>['body'];

interface ChannelBulkDependencies {
  readonly bulk: ChannelBulkRepository;
  readonly abilities: AbilityRepository;
  readonly keys: ChannelKeyRepository;
  readonly runs: BulkRunService;
  readonly logs: LogService;
  readonly box: SecretBox;
  readonly inTransaction: InTransaction;
  readonly managed: ManagedGuard;
  /** Ids of the channels that are cooling down. */
  readonly coolingDown: () => Promise<readonly number[]>;
}

/** Maximum number of index rows that one run may write. */
const maxAbilities = 500_000;

const subject = 'channel';

/** Bulk edits of channels in one transaction. The relay is notified once, so it sees all changes together. */
export class ChannelBulkService {
  readonly #dependencies: ChannelBulkDependencies;

  constructor(dependencies: ChannelBulkDependencies) {
    this.#dependencies = dependencies;
  }

  async run(admin: Admin, order: BulkRequest, language: Language): Promise<BulkReport> {
    const { inTransaction } = this.#dependencies;
    const channels = await this.#chosen(order.chosen);
    if (order.preview) return bulkReport(await this.#plan(undefined, order, channels), language);
    return inTransaction(async (transaction) => {
      const plan = await this.#plan(transaction, order, channels);
      requireUnchangedPlan(plan, order.digest);
      const undo = await this.#applyStatus(transaction, admin, plan, order.change);
      return bulkReport(plan, language, undo);
    });
  }

  /** Undoes a run; rejected if one of its channels was changed or deleted since. */
  async undo(admin: Admin, id: string, language: Language): Promise<BulkReport> {
    const { bulk, runs, logs, inTransaction, managed } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const kept = (await runs.take(transaction, subject, id)) ?? gone();
      for (const row of kept) await managed.rejectRow(transaction, 'channel', row.id);
      const rows = await bulk.within(transaction).lock({ ids: kept.map((row) => row.id) });
      const plan = planChannelUndo(rows, kept);
      await this.#write(transaction, plan);
      await logs.recordBulk(
        transaction,
        { event: 'channel.bulk', admin },
        channelLogEntries(admin, plan, 'channel.bulk_undone'),
      );
      return bulkReport(plan, language);
    });
  }

  async #chosen(chosen: BulkRequest['chosen']): Promise<ChannelSelection> {
    if ('ids' in chosen) return { ids: chosen.ids };
    const { box, coolingDown } = this.#dependencies;
    return { query: toChannelQuery(chosen.filter, box, chosen.filter.cooling_down ? await coolingDown() : []) };
  }

  /** Previews without a transaction. */
  async #plan(
    transaction: Transaction | undefined,
    order: BulkRequest,
    channels: ChannelSelection,
  ): Promise<ChannelPlan[]> {
    const { chosen, change } = order;
    const bulk = transaction ? this.#dependencies.bulk.within(transaction) : this.#dependencies.bulk;
    const managed = await this.#dependencies.managed.rows('channel', transaction);
    const rows = await bulk[transaction ? 'lock' : 'read'](channels);
    if (rows.length > maxBulkRows) throw new ApiError('tooManyBulkRows', { max: String(maxBulkRows) });
    if ('count' in chosen) requireExpectedCount(rows.length, chosen.count);
    const source = change.kind === 'copy' ? await this.#source(bulk, change.from) : undefined;
    const missing = 'ids' in chosen ? missingRows(chosen.ids, rows) : [];
    const plan = (row: ChannelRow) => {
      if (managed.has(row.id)) throw managedByFileError(row.name);
      return this.#planRow(row, change, source);
    };
    return [...rows.map((row) => planBulkRow(row, () => plan(row))), ...missing];
  }

  async #source(bulk: ChannelBulkRepository, id: number): Promise<ChannelFields> {
    const [row] = await bulk.read({ ids: [id] });
    if (!row) throw new ApiError('notFound');
    return decryptChannelFields(row, this.#dependencies.box);
  }

  #planRow(row: ChannelRow, change: ChannelBulkChange, source: ChannelFields | undefined): ChannelPlan {
    const { box } = this.#dependencies;
    const { id, name } = row;
    if (change.kind === 'delete') return { id, name, row, changes: [valueChange('deleted', '', name)] };
    const stored = editableChannelFields(row, box);
    const fields = changedChannel(stored, { id, ...bulkChannelUpdate(change, stored, source) });
    const changed = changedFieldNames(stored, fields);
    if (changed.length > 0) rejectTooManyAbilities(fields);
    return {
      id,
      name,
      row,
      change: changedColumns(fields, changed, box),
      changes: describeChanges(stored, fields, changed),
    };
  }

  async #applyStatus(
    transaction: Transaction,
    admin: Admin,
    plan: readonly ChannelPlan[],
    { kind }: ChannelBulkChange,
  ) {
    const { bulk, keys, runs, logs } = this.#dependencies;
    const wanted = plan.filter(hasChanges);
    if (kind !== 'delete') {
      const undo = await this.#write(transaction, wanted);
      await logs.recordBulk(
        transaction,
        { event: 'channel.bulk', admin },
        channelLogEntries(admin, wanted, 'channel.bulk_updated'),
      );
      return runs.keep(transaction, subject, undo);
    }
    if (wanted.length === 0) return '';
    await keys.within(transaction).lockOf(wanted.map(({ id }) => id));
    await bulk.within(transaction).remove(wanted.map(({ id }) => id));
    await logs.recordBulk(
      transaction,
      { event: 'channel.bulk', admin },
      channelLogEntries(admin, wanted, 'channel.deleted'),
    );
    transaction.changed('channels');
    return '';
  }

  /** Writes the channels and their index and returns the undo data. */
  async #write(transaction: Transaction, plan: readonly ChannelPlan[]) {
    const { bulk, abilities, keys } = this.#dependencies;
    const written = plan.flatMap(({ row, change }) => (row && change ? [{ row, change }] : []));
    if (written.length === 0) return [];
    await bulk.within(transaction).update(written);
    const enabled = written.filter(({ change }) => change.status === channelStatus.enabled);
    if (enabled.length > 0) await keys.within(transaction).reenable(enabled.map(({ row }) => row.id));
    const servedNow = written.map(({ row: { id, group, models }, change }) => ({
      id,
      group: change.group ?? group,
      models: change.models ?? models,
    }));
    const isReplaced = written.some(({ change }) => change.models !== undefined || change.group !== undefined);
    if (isReplaced) rejectTooManyAbilitiesInTotal(servedNow);
    if (isReplaced) await abilities.within(transaction).replaceMany(servedNow);
    else await abilities.within(transaction).refresh(written.map(({ row }) => row.id));
    transaction.changed('channels');
    return written.map(({ row, change }) => ({
      id: row.id,
      before: Object.fromEntries(Object.keys(change).map((name) => [name, row[name as keyof ChannelRow]])),
      after: change,
    }));
  }
}

function rejectTooManyAbilitiesInTotal(served: readonly { readonly group: string; readonly models: string }[]): void {
  const count = served.reduce(
    (sum, { group, models }) => sum + splitCommas(group).length * splitCommas(models).length,
    0,
  );
  if (count > maxAbilities) throw new ApiError('tooManyAbilities', { max: String(maxAbilities) });
}

function gone(): never {
  throw new ApiError('undoGone');
}
