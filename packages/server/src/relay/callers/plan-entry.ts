import { splitCommas } from '@headgate/contract';
import type { PayingPlan } from '@headgate/relay';
import type { CallerPlanRow } from './caller-repository.ts';

/** A plan of a cached user. Its windows are budgets of kind `plan`. */
export interface PlanEntry extends PayingPlan {
  readonly starts: number;
  /** First second after the plan. */
  readonly ends: number;
  /** Group of the user while the plan is valid; empty for none. */
  readonly group: string;
  readonly covers: (model: string, group: string) => boolean;
}

export const planEntry = (facts: CallerPlanRow): PlanEntry => ({
  id: facts.id,
  name: facts.name,
  starts: facts.starts_time,
  ends: facts.ends_time,
  group: facts.upgrade_group,
  covers: planFilter(facts),
});

export const isValidPlan = ({ starts, ends }: PlanEntry, now: number): boolean => starts <= now && now < ends;

/** Empty lists cover everything; a model name that ends with `*` covers all names with this prefix. */
function planFilter({ models, groups }: Pick<CallerPlanRow, 'models' | 'groups'>): PlanEntry['covers'] {
  const names = splitCommas(models);
  const exact = new Set(names);
  const beginnings = names.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  const allowed = new Set(splitCommas(groups));
  return (model, group) =>
    (allowed.size === 0 || allowed.has(group)) &&
    (names.length === 0 || exact.has(model) || beginnings.some((beginning) => model.startsWith(beginning)));
}

/** The user's groups, after those of valid plans. */
export function groupsWithPlans(
  groups: readonly string[],
  plans: readonly PlanEntry[],
  now: number,
): readonly string[] {
  if (plans.length === 0) return groups;
  const upgrades = plans.filter((plan) => plan.group !== '' && isValidPlan(plan, now)).map(({ group }) => group);
  return upgrades.length === 0 ? groups : [...new Set([...upgrades, ...groups])];
}
