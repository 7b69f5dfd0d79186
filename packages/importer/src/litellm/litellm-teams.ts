import { defaultGroup, groupNameLength } from '@headgate/contract';
import type { SourceRow } from '../source/source.ts';
import { textOf, truncate } from '../source/source-values.ts';
import { type AccessGroups, type ModelList, modelsOf } from './litellm-models.ts';
import { groupName } from './litellm-values.ts';

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
 * purpose.
 */
export function teamsOf(rows: readonly SourceRow[], source: string, access: AccessGroups): ReadonlyMap<string, Team> {
  const taken = new Set<string>([defaultGroup]);
  const sorted = [...rows].sort((one, other) => (textOf(one, 'team_id') < textOf(other, 'team_id') ? -1 : 1));
  const teams = sorted.map((row) => {
    const id = textOf(row, 'team_id');
    const name = groupName(textOf(row, 'team_alias')) || groupName(id);
    const wanted = truncate(`${groupName(source)}-${name}`, groupNameLength.max);
    const suffix = `-${groupName(id).slice(-8)}`;
    const group = taken.has(wanted) ? truncate(wanted, groupNameLength.max - suffix.length) + suffix : wanted;
    taken.add(group);
    return [id, { id, name, group, models: modelsOf(row, access), isBlocked: row['blocked'] === true, row }] as const;
  });
  return new Map(teams);
}
