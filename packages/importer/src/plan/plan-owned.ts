import { maxLimitRules } from '@headgate/contract';
import type { ImportedBudget, ImportedLimit, LitellmOwner } from '../litellm/litellm-budgets.ts';
import type { ImportedOrganizations } from '../litellm/litellm-organizations.ts';
import type { ImportedChannel } from '../mapping/map-channel.ts';
import type { ImportedToken } from '../mapping/map-token.ts';
import type { SourceKind } from '../source/source.ts';
import type { TargetState } from '../target.ts';
import { ImportTally, type TableReport } from './import-tally.ts';
import type { PlannedUser } from './plan-users.ts';

interface Owners {
  readonly users: readonly PlannedUser[];
  readonly tokens: readonly ImportedToken[];
  readonly channels: readonly ImportedChannel[];
  readonly organizations: ImportedOrganizations;
}

const sourceIds = (rows: readonly { readonly sourceId: number }[]): ReadonlySet<number> =>
  new Set(rows.map(({ sourceId }) => sourceId));

/** Plans budgets and limits. Only LiteLLM has them. */
export function planOwned(
  { budgets, limits }: { readonly budgets: readonly ImportedBudget[]; readonly limits: readonly ImportedLimit[] },
  { users, tokens, channels, organizations }: Owners,
  { here, kind }: { readonly here: TargetState; readonly kind: SourceKind },
) {
  const now = {
    users: sourceIds(users),
    tokens: sourceIds(tokens),
    channels: new Set(channels.map(({ sourceId }) => Number(sourceId))),
    organizations: sourceIds(organizations.organizations),
    projects: sourceIds(organizations.projects),
    members: sourceIds(organizations.members),
  };
  const [ofBudgets, ofLimits] = [planBudgets(budgets, now, here), planLimits(limits, now, here)];
  const reports = kind === 'litellm' ? [ofBudgets.report, ofLimits.report] : [];
  return { budgets: ofBudgets.rows, limits: ofLimits.rows, reports };
}

interface OwnedPlan<Row> {
  readonly rows: readonly Row[];
  readonly report: TableReport;
}

/** Ids of the rows that this run imports. Budgets of rows imported earlier stay unchanged. */
interface ImportedNow {
  readonly users: ReadonlySet<number>;
  readonly tokens: ReadonlySet<number>;
  readonly channels: ReadonlySet<number>;
  readonly organizations: ReadonlySet<number>;
  readonly projects: ReadonlySet<number>;
  readonly members: ReadonlySet<number>;
}

const idsOf = {
  user: 'users',
  token: 'tokens',
  channel: 'channels',
  organization: 'organizations',
  project: 'projects',
  member: 'members',
} as const satisfies Record<string, keyof ImportedNow>;

const isNew = (owner: LitellmOwner, now: ImportedNow): boolean =>
  owner.kind === 'group' ? owner.group !== '' : now[idsOf[owner.kind]].has(owner.sourceId);

const skipOf = ({ kind }: LitellmOwner) => ({
  reason:
    kind === 'group'
      ? 'has no group: there are more teams than a channel can list'
      : `belongs to ${kind === 'organization' ? 'an' : 'a'} ${kind} that is skipped`,
});
const tooMany = { reason: `exceeds the maximum of ${maxLimitRules} limits; create one for a group instead` };

function planBudgets(
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

function planLimits(
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
