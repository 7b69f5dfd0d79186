import { type Budget, type budgetApi, isNamedBudgetKind, type Parsed } from '@headgate/contract';
import { ApiError } from '../../platform/errors/api-error.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { isKnownTimeZone, periodAt } from './budget-period.ts';
import type { BudgetChange, BudgetOwner, BudgetRow } from './budget-repository.ts';

type Update = Omit<Parsed<typeof budgetApi.update>['body'], 'id'>;

/** Budget with its current period; shows a reset even if no request has started the new period yet. */
export function presentBudget(row: BudgetRow): Budget {
  const start = row.start_time ?? row.created_time;
  const span = periodAt(row.period, row.time_zone, Math.max(nowInSeconds(), start));
  const isCurrent = start >= span.start;
  return {
    id: row.id,
    kind: row.owner_kind,
    owner_id: row.owner_id,
    owner: ownerName(row),
    username: row.owner_kind === 'token' ? (row.username ?? '') : '',
    user_id: row.user_id ?? 0,
    amount: row.amount,
    period: row.period,
    time_zone: row.time_zone,
    enabled: row.enabled === 1,
    note: row.note,
    created_time: row.created_time,
    used: isCurrent ? (row.used ?? 0) : 0,
    period_start: isCurrent ? start : span.start,
    period_end: Number.isFinite(span.end) ? span.end : 0,
  };
}

/** New field values, as column values. */
export function changedBudgetColumns(before: BudgetRow, { enabled, ...update }: Update): BudgetChange {
  const wanted = { ...update, ...(enabled !== undefined && { enabled: Number(enabled) }) };
  const differing = Object.entries(wanted).filter(
    ([name, value]) => value !== undefined && value !== before[name as keyof BudgetChange],
  );
  return Object.fromEntries(differing);
}

/** Invalidation topic sent to all nodes. */
export const budgetTopic = ({ owner_kind, owner_id, owner_group }: BudgetOwner) =>
  `budget:${owner_kind}:${isNamedBudgetKind(owner_kind) ? owner_group : owner_id}` as const;

export const ownerLabel = (row: BudgetRow): string => `${row.owner_kind} ${ownerName(row)}`;

function ownerName(row: BudgetRow): string {
  const names = {
    group: row.owner_group,
    tag: row.owner_group,
    token: row.token_name,
    user: row.username,
    member: row.member_name,
    project: row.project_name,
  };
  return names[row.owner_kind] ?? '';
}

/** The contract validates with the browser's time zones; this uses the zones that periods are computed with. */
export function requireKnownTimeZone(timeZone: string): void {
  if (!isKnownTimeZone(timeZone)) throw new ApiError('badInput', { detail: 'time_zone' });
}
