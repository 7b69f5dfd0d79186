import { maxLimitRules } from '@headgate/contract';
import type { ImportedBudget, ImportedLimit, LitellmOwner } from '../litellm/litellm-budgets.ts';
import type { TargetState } from '../target.ts';
import { ImportTally, type TableReport } from './import-tally.ts';

interface OwnedPlan<Row> {
  readonly rows: readonly Row[];
  readonly report: TableReport;
}

/** Ids of the rows that this run imports. Budgets of rows imported earlier stay as they are. */
export interface ImportedNow {
  readonly users: ReadonlySet<number>;
  readonly tokens: ReadonlySet<number>;
  readonly channels: ReadonlySet<number>;
}

const idsOf = {
  user: 'users',
  token: 'tokens',
  channel: 'channels',
} as const satisfies Record<string, keyof ImportedNow>;

const isNew = (owner: LitellmOwner, now: ImportedNow): boolean =>
  owner.kind === 'group' ? owner.group !== '' : now[idsOf[owner.kind]].has(owner.sourceId);

const skipOf = ({ kind }: LitellmOwner) => ({
  reason:
    kind === 'group'
      ? 'has no group: there are more teams than a channel can list'
      : `belongs to a ${kind} that is skipped`,
});
const tooMany = { reason: `exceeds the maximum of ${maxLimitRules} limits; create one for a group instead` };

export function planBudgets(
  budgets: readonly ImportedBudget[],
  now: ImportedNow,
  { imported }: TargetState,
): OwnedPlan<ImportedBudget> {
  const tally = new ImportTally('budgets');
  const rows = budgets.filter((budget) => {
    if (imported.budget.has(budget.sourceId)) tally.addExisting();
    else if (isNew(budget.owner, now)) {
      tally.add(`budget ${budget.label}`, [{ row: budget, changes: budget.changes }]);
      return true;
    } else tally.add(`budget ${budget.label}`, [skipOf(budget.owner)]);
    return false;
  });
  return { rows, report: tally.report };
}

export function planLimits(
  limits: readonly ImportedLimit[],
  now: ImportedNow,
  { imported, freeLimits }: TargetState,
): OwnedPlan<ImportedLimit> {
  const tally = new ImportTally('limits');
  const rows: ImportedLimit[] = [];
  for (const limit of limits) {
    const label = `limit ${limit.measure} ${limit.label}`;
    if (imported.limit.has(limit.sourceId)) tally.addExisting();
    else if (!isNew(limit.owner, now)) tally.add(label, [skipOf(limit.owner)]);
    else if (rows.length >= freeLimits) tally.add(label, [tooMany]);
    else {
      tally.add(label, [{ row: limit, changes: [] }]);
      rows.push(limit);
    }
  }
  return { rows, report: tally.report };
}
