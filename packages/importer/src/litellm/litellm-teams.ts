import { defaultGroup, groupNameLength } from '@headgate/contract';
import type { SourceRow } from '../source/source.ts';
import { readText, truncate } from '../source/source-values.ts';
import { groupName, readAmount, readList } from './litellm-values.ts';

/** A team: a project of an organization, and a group that its limits apply to. */
export interface Team {
  readonly id: string;
  readonly name: string;
  readonly group: string;
  readonly models: ModelList;
  readonly isBlocked: boolean;
  readonly row: SourceRow;
}

/**
 * Groups are named after the source and the team, so that a team never matches an unrelated existing group. Every
 * channel lists all groups. If they do not fit, teams without budgets and limits are the first to share the default
 * group.
 */
export function readTeams(rows: readonly SourceRow[], source: string, access: AccessGroups): ReadonlyMap<string, Team> {
  const taken = new Set<string>([defaultGroup]);
  const sorted = [...rows].sort((one, other) => (readText(one, 'team_id') < readText(other, 'team_id') ? -1 : 1));
  const named = sorted.map((row) => {
    const id = readText(row, 'team_id');
    const name = groupName(readText(row, 'team_alias')) || groupName(id);
    const group = freeGroup(`${groupName(source)}-${name}`, id, taken);
    taken.add(group);
    return { id, name, group, models: readModels(row, access), isBlocked: row['blocked'] === true, row };
  });
  const fitting = fittingGroups(named);
  const teams = named.map((team) => (fitting.has(team.group) ? team : { ...team, group: defaultGroup }));
  return new Map(teams.map((team) => [team.id, team]));
}

function freeGroup(wanted: string, id: string, taken: ReadonlySet<string>): string {
  const name = truncate(wanted, groupNameLength.max);
  if (!taken.has(name)) return name;
  const end = `-${groupName(id).slice(-8)}`;
  // Two teams in one group would share their members and budgets.
  for (let count = 1; ; count += 1) {
    const suffix = count === 1 ? end : `${end}-${count}`;
    const free = truncate(name, groupNameLength.max - suffix.length) + suffix;
    if (!taken.has(free)) return free;
  }
}

/** Slightly below the maximum length of a channel's list of groups. */
const maxGroupsLength = 1900;

const ruleColumns = ['max_budget', 'rpm_limit', 'tpm_limit', 'max_parallel_requests'] as const;
const hasRules = ({ row }: Pick<Team, 'row'>): boolean =>
  ruleColumns.some((column) => readAmount(row, column) !== undefined);

function fittingGroups(teams: readonly Pick<Team, 'group' | 'row'>[]): ReadonlySet<string> {
  let length = defaultGroup.length;
  const inOrder = [...teams.filter(hasRules), ...teams.filter((team) => !hasRules(team))];
  const fitting = inOrder.filter(({ group }) => {
    length += group.length + 1;
    return length <= maxGroupsLength;
  });
  return new Set(fitting.map(({ group }) => group));
}

/** Special model names of LiteLLM that represent lists of models. */
const anyModel: ReadonlySet<string> = new Set(['all-proxy-models', '*']);
const teamModels = 'all-team-models';
const noModels = 'no-default-models';

/** Allowed models; undefined allows all. */
export type ModelList = readonly string[] | undefined;

/** Models by the access groups that contain them. */
export type AccessGroups = ReadonlyMap<string, readonly string[]>;

/** Models of a row. An empty list, or one with a name for all models, allows all. */
export function readModels(row: SourceRow, groups: AccessGroups): ModelList {
  const given = readList(row, 'models').filter((name) => name !== teamModels);
  if (given.length === 0 || given.some((name) => anyModel.has(name))) return undefined;
  const models = new Set<string>();
  for (const name of new Set(given)) {
    if (name === noModels) continue;
    for (const model of groups.get(name) ?? [name]) models.add(model);
    // A token cannot store more names; it is then disabled.
    if (models.size > maxModels) break;
  }
  return [...models];
}

const maxModels = 50_000;
/** Limits the comparison to milliseconds; hostile lists could otherwise take hours. */
const maxPatternTests = 1_000_000;

/** Models that both lists allow. `*` in a name matches anything. */
export function intersectModels(one: ModelList, other: ModelList): ModelList {
  if (!one || !other) return one ?? other;
  const [inOne, inOther] = [listed(one), listed(other)];
  // Such a token is disabled, because it allows no models.
  if (inOne.patterns.length * other.length + inOther.patterns.length * one.length > maxPatternTests) return [];
  const isIn = (name: string, { names, patterns }: Listed): boolean =>
    names.has(name) || patterns.some((pattern) => matches(name, pattern));
  const kept = [...one.filter((name) => isIn(name, inOther)), ...other.filter((name) => isIn(name, inOne))];
  return [...new Set(kept)];
}

interface Listed {
  readonly names: ReadonlySet<string>;
  /** Names with `*`. */
  readonly patterns: readonly string[];
}

const listed = (list: readonly string[]): Listed => ({
  names: new Set(list),
  patterns: list.filter((name) => name.includes('*')),
});

/** Compares the parts around `*`, without building a regular expression from a hostile pattern. */
function matches(name: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (!name.startsWith(first)) return false;
  const last = rest.pop() ?? '';
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
