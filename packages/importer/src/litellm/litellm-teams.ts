import { defaultGroup, groupNameLength } from '@headgate/contract';
import type { SourceRow } from '../source/source.ts';
import { textOf, truncate } from '../source/source-values.ts';
import { type AccessGroups, type ModelList, modelsOf } from './litellm-models.ts';
import { amountOf, groupName } from './litellm-values.ts';

/** A team. Teams become groups until there are organisations. */
export interface Team {
  readonly id: string;
  readonly name: string;
  readonly group: string;
  readonly models: ModelList;
  readonly isBlocked: boolean;
  readonly row: SourceRow;
}

/**
 * Groups are named after the source and the team, so that a team never becomes a group that exists here for another
 * purpose. Every channel lists all groups. If they do not fit, teams without budgets and limits share the default
 * group first.
 */
export function teamsOf(rows: readonly SourceRow[], source: string, access: AccessGroups): ReadonlyMap<string, Team> {
  const taken = new Set<string>([defaultGroup]);
  const sorted = [...rows].sort((one, other) => (textOf(one, 'team_id') < textOf(other, 'team_id') ? -1 : 1));
  const named = sorted.map((row) => {
    const id = textOf(row, 'team_id');
    const name = groupName(textOf(row, 'team_alias')) || groupName(id);
    const group = freeGroup(`${groupName(source)}-${name}`, id, taken);
    taken.add(group);
    return { id, name, group, models: modelsOf(row, access), isBlocked: row['blocked'] === true, row };
  });
  const fitting = fittingGroups(named);
  const teams = named.map((team) => (fitting.has(team.group) ? team : { ...team, group: defaultGroup }));
  return new Map(teams.map((team) => [team.id, team]));
}

function freeGroup(wanted: string, id: string, taken: ReadonlySet<string>): string {
  const name = truncate(wanted, groupNameLength.max);
  if (!taken.has(name)) return name;
  const suffix = `-${groupName(id).slice(-8)}`;
  return truncate(name, groupNameLength.max - suffix.length) + suffix;
}

/** Somewhat below the longest list of groups that a channel can have. */
const maxGroupsLength = 1900;

const ruleColumns = ['max_budget', 'rpm_limit', 'tpm_limit', 'max_parallel_requests'] as const;
const hasRules = ({ row }: Pick<Team, 'row'>): boolean =>
  ruleColumns.some((column) => amountOf(row, column) !== undefined);

function fittingGroups(teams: readonly Pick<Team, 'group' | 'row'>[]): ReadonlySet<string> {
  let length = defaultGroup.length;
  const inOrder = [...teams.filter(hasRules), ...teams.filter((team) => !hasRules(team))];
  const fitting = inOrder.filter(({ group }) => {
    length += group.length + 1;
    return length <= maxGroupsLength;
  });
  return new Set(fitting.map(({ group }) => group));
}
