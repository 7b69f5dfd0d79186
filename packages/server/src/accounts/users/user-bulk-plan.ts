import { defaultGroup, logType, type UserBulkChange, userStatus } from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { RowPlan, UndoRow } from '../../records/bulk/bulk-plan.ts';
import { listChange, valueChange } from '../../records/bulk/field-change.ts';
import { type EventRecord, userEvent } from '../../records/logs/log-service.ts';
import { requireHigherRole, requireManageable } from './user-authority.ts';
import type { UserColumns } from './user-bulk-repository.ts';

/** Planned change of one user. */
export interface UserPlan extends RowPlan {
  readonly row?: UserRow;
  readonly columns?: UserColumns;
  readonly isBanned?: boolean;
}

interface PlanContext {
  /** Number of the user's tokens that are not disabled. */
  readonly tokens: number;
  /** Formats a quota for the log. */
  readonly amount: (quota: number) => string;
}

/** Plans the change of one user; throws when the actor may not make it or it is not possible. */
export function planUser(actor: UserRow, row: UserRow, change: UserBulkChange, known: PlanContext): UserPlan {
  const shared = { id: row.id, name: row.username, row };
  switch (change.kind) {
    case 'status': {
      const isBanned = change.status === userStatus.disabled;
      requireManageable(actor, row, isBanned ? 'disable' : 'enable');
      return { ...shared, isBanned, ...columnPlan(row, { status: change.status }) };
    }
    case 'group':
      requireHigherRole(actor, row, 'editEqualOrHigher');
      return { ...shared, ...columnPlan(row, { group: change.group || defaultGroup }) };
    case 'quota': {
      requireHigherRole(actor, row, 'editEqualOrHigher');
      const after = row.quota + change.amount;
      if (change.amount < 0 && after < 0) throw new ApiError('quotaBelowZero');
      if (row.credited + change.amount > Number.MAX_SAFE_INTEGER) throw new ApiError('quotaTooLarge');
      return { ...shared, changes: [valueChange('quota', known.amount(row.quota), known.amount(after))] };
    }
    case 'tokens_off': {
      requireHigherRole(actor, row, 'editEqualOrHigher');
      const isDone = known.tokens === 0 && row.tokens_locked === 1;
      return { ...shared, changes: isDone ? [] : [valueChange('tokens', known.tokens, 0)] };
    }
    default:
      throw new Error('unknown kind of user change');
  }
}

function columnPlan(row: UserRow, columns: UserColumns) {
  const changes = Object.entries(columns)
    .filter(([name, value]) => row[name as keyof UserColumns] !== value)
    .map(([name, value]) => {
      const before = row[name as keyof UserColumns];
      return name === 'group' ? listChange(name, String(before), String(value)) : valueChange(name, before, value);
    });
  return { columns, changes };
}

/** Undo data for changes of group and status. */
export const userUndoRows = ({ row, columns }: UserPlan): UndoRow[] =>
  row && columns
    ? [
        {
          id: row.id,
          before: Object.fromEntries(Object.keys(columns).map((name) => [name, row[name as keyof UserColumns]])),
          after: columns,
        },
      ]
    : [];

/** Restores the previous values. Throws if a user has changed since or the actor lacks the role. */
export function planUserUndo(actor: UserRow, rows: readonly UserRow[], kept: readonly UndoRow[]): UserPlan[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const isAs = ({ id, after }: UndoRow) =>
    Object.entries(after).every(([name, value]) => byId.get(id)?.[name as keyof UserColumns] === value);
  const others = kept.filter((undo) => !isAs(undo));
  if (others.length > 0) {
    const names = others.slice(0, 3).map(({ id }) => byId.get(id)?.username ?? `#${id}`);
    throw new ApiError('undoTooLate', { count: String(others.length), names: names.join(', ') });
  }
  return kept.flatMap(({ id, before }) => {
    const row = byId.get(id);
    if (!row) return [];
    requireHigherRole(actor, row, 'editEqualOrHigher');
    const columns: UserColumns = before;
    return [{ id, name: row.username, row, isBanned: false, ...columnPlan(row, columns) }];
  });
}

/** Log entry for one user; `change` is given if no column was written. */
export function bulkLogEntries(
  actor: UserRow,
  { row, columns }: UserPlan,
  change: UserBulkChange | undefined,
  amount: PlanContext['amount'],
): EventRecord[] {
  if (!row) return [];
  const record = (event: EventRecord['event'], values?: EventRecord['values']) => userEvent(actor, row, event, values);
  if (change?.kind === 'tokens_off') return [record('user.tokens_off')];
  if (change?.kind === 'quota') {
    const values = { amount: amount(Math.abs(change.amount)), remark: change.reason };
    if (change.amount < 0) return [{ ...record('user.quota_taken', values), quota: change.amount }];
    return [{ ...record('user.topped_up_with_remark', values), type: logType.topUp, quota: change.amount }];
  }
  if (columns?.group !== undefined) return [record('user.group', { before: row.group, after: columns.group })];
  return [record(columns?.status === userStatus.disabled ? 'user.disable' : 'user.enable')];
}
