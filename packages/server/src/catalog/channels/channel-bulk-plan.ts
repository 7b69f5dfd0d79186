import { isDeepStrictEqual } from 'node:util';
import { type LogEvent, logType } from '@headgate/contract';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { PlannedRow, UndoRow } from '../../records/bulk/bulk-plan.ts';
import { changeText, listChange, valueChange } from '../../records/bulk/field-change.ts';
import type { ChannelChange, ChannelRow } from './channel-repository.ts';
import type { Admin } from './channel-service.ts';

/** Planned change of one channel. A failed or deleted one has nothing to write. */
export interface ChannelPlan extends PlannedRow {
  readonly row?: ChannelRow;
  readonly change?: ChannelChange;
}

/** Restores the previous values; throws when a channel was changed since. */
export function planChannelUndo(rows: readonly ChannelRow[], kept: readonly UndoRow[]): ChannelPlan[] {
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

/** One log entry per channel with old and new values. */
export const channelLogEntries = (admin: Admin, plan: readonly ChannelPlan[], event: LogEvent) =>
  plan.map(({ id, name, changes }) => ({
    type: logType.management,
    event,
    user: admin,
    about: { channel: id },
    values: { admin: admin.username, channel: `${name} (#${id})`, changes: changes.map(changeText).join('; ') },
  }));
