import type { PlanWindow } from '@headgate/contract';
import type { SourceRow } from '../source/source.ts';
import { clamp, maxQuota, readInteger, readText, readTime } from '../source/source-values.ts';
import type { MappedRow } from './map-options.ts';
import { groupOf, windowOf } from './map-plan.ts';

/** A plan that a user still has. */
export interface ImportedUserPlan {
  readonly sourceId: number;
  readonly userSourceId: number;
  readonly planSourceId: number;
  readonly name: string;
  readonly windows: readonly PlanWindow[];
  /** Points used in the current period of the window. */
  readonly used: number;
  readonly upgrade_group: string;
  readonly starts_time: number;
  readonly ends_time: number;
}

/** Undefined if the plan has ended. */
export const isRunning = (row: SourceRow, now: number): boolean =>
  readText(row, 'status').trim() === 'active' && readTime(row, 'end_time') > now;

/** `plan` is the row of the plan, and `name` its name here; the row is undefined if it was deleted. */
export function mapUserPlan(
  row: SourceRow,
  { plan, name, now }: { readonly plan: SourceRow | undefined; readonly name: string; readonly now: number },
): MappedRow<ImportedUserPlan> {
  if (row['amount_total'] === undefined) return { reason: 'has limits per model, which plans do not have here' };
  const changes: string[] = [];
  const window = windowOf(plan ?? {}, readInteger(row, 'amount_total'), changes);
  const reset = readTime(row, 'next_reset_time');
  const isReset = window.period !== 'all' && reset > 0 && reset <= now;
  const used = isReset ? 0 : Math.max(0, clamp(readInteger(row, 'amount_used'), maxQuota));
  const starts_time = Math.min(readTime(row, 'start_time') || now, now);
  return {
    changes,
    row: {
      sourceId: readInteger(row, 'id'),
      userSourceId: readInteger(row, 'user_id'),
      planSourceId: readInteger(row, 'plan_id'),
      name,
      windows: [window],
      used,
      upgrade_group: groupOf(row, 'upgrade_group', changes),
      starts_time,
      ends_time: readTime(row, 'end_time'),
    },
  };
}

/**
 * In the source, a plan with an upgrade group changes the group of its user until it ends. Here the user keeps the
 * earlier group, and the plan adds its group while it is valid.
 */
export function withGroupsBeforePlans(
  users: readonly SourceRow[],
  subscriptions: readonly SourceRow[],
  now: number,
): readonly SourceRow[] {
  const earlier = new Map<string, SourceRow>();
  for (const row of subscriptions) {
    const isUpgraded = isRunning(row, now) && readText(row, 'upgrade_group') !== '' && groupAfter(row) !== '';
    if (isUpgraded && !earlier.has(readText(row, 'user_id'))) earlier.set(readText(row, 'user_id'), row);
  }
  if (earlier.size === 0) return users;
  return users.map((user) => {
    const plan = earlier.get(readText(user, 'id'));
    const isUpgraded = plan && readText(user, 'group') === readText(plan, 'upgrade_group');
    return isUpgraded ? { ...user, group: groupAfter(plan) } : user;
  });
}

const groupAfter = (row: SourceRow): string => readText(row, 'downgrade_group') || readText(row, 'prev_user_group');
