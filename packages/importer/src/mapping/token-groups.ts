import { defaultGroup, splitCommas } from '@headgate/contract';
import type { SourceContents, SourceKind, SourceRow } from '../source/source.ts';
import { isDeleted, readJsonObject, readText, truncate } from '../source/source-values.ts';
import { maxGroupsLength } from './map-user.ts';

/** Groups that a token may use. */
export interface TokenScope {
  /** Empty means the groups of the user. */
  readonly groups: string;
  /** Difference from the source, for the report. */
  readonly change?: string | undefined;
  /** True if the token was unusable in the source. */
  readonly isDisabled?: boolean | undefined;
}

/**
 * A new-api token may use a group that its user is not in, if the group is open to all users. In this gateway a token
 * can only use groups of its user. The user is therefore added to that group, and the user's other tokens are
 * restricted to the original groups.
 */
export interface TokenGroups {
  /** Groups added to the user because of tokens. */
  addedTo(userId: string): readonly string[];
  /** `known`: users imported by an earlier run, which are not changed. */
  scopeOf(token: SourceRow, known: ReadonlyMap<string, unknown>): TokenScope;
}

const noScope: TokenScope = { groups: '' };

/** new-api's default for `UserUsableGroups`. */
const defaultUsableGroups = ['default', 'vip'];
const anyGroup = 'auto';

export function collectTokenGroups(
  { users, tokens, options }: SourceContents['tables'],
  kind: SourceKind,
): TokenGroups {
  if (kind === 'one-api') return { addedTo: () => [], scopeOf: () => noScope };
  const usable = usableGroups(options);
  const own = new Map(users.map((row) => [readText(row, 'id'), groupsOf(row)]));
  const ownOf = (userId: string) => own.get(userId) ?? [defaultGroup];
  const added = new Map<string, Set<string>>();
  for (const token of tokens.filter((row) => !isDeleted(row))) {
    const [userId, group] = [readText(token, 'user_id'), groupOf(token)];
    if (!usable.has(group) || ownOf(userId).includes(group)) continue;
    const others = added.get(userId) ?? new Set();
    if ([...ownOf(userId), ...others, group].join(',').length > maxGroupsLength) continue;
    added.set(userId, others.add(group));
  }
  const ofUser = (userId: string, known: ReadonlyMap<string, unknown>) =>
    added.has(userId) && !known.has(userId) ? ownOf(userId).join(',') : '';
  const ofAnother = (group: string, userId: string, isKnown: boolean): TokenScope => {
    const groupName = JSON.stringify(truncate(group, 50));
    if (!usable.has(group)) return { groups: '', isDisabled: true, change: changes.foreign(groupName) };
    if (isKnown) return { groups: group, change: changes.later(groupName) };
    return added.get(userId)?.has(group)
      ? { groups: group }
      : { groups: '', isDisabled: true, change: changes.tooMany(groupName) };
  };
  return {
    addedTo: (userId) => [...(added.get(userId) ?? [])],
    scopeOf: (token, known) => {
      const [userId, group] = [readText(token, 'user_id'), groupOf(token)];
      if (group === '') return { groups: ofUser(userId, known) };
      if (group === anyGroup) return { groups: ofUser(userId, known), change: changes.any };
      return ownOf(userId).includes(group) ? { groups: group } : ofAnother(group, userId, known.has(userId));
    },
  };
}

const changes = {
  any: `uses the groups of its user instead of "${anyGroup}"`,
  foreign: (group: string) => `is disabled because its user may not use the group ${group}`,
  tooMany: (group: string) => `is disabled because its user has too many groups to add ${group}`,
  later: (group: string) => `works only after its user is added to the group ${group}`,
} as const;

const groupOf = (token: SourceRow): string => readText(token, 'group').trim();

function groupsOf(user: SourceRow): readonly string[] {
  const groups = splitCommas(readText(user, 'group'));
  return groups.length > 0 ? groups : [defaultGroup];
}

function usableGroups(options: readonly SourceRow[]): ReadonlySet<string> {
  const row = options.find((option) => readText(option, 'key') === 'UserUsableGroups');
  const groups = row && readJsonObject(row, 'value');
  const named = groups ? Object.keys(groups) : defaultUsableGroups;
  // A name with a comma would be split into several groups.
  return new Set(
    named.filter((name) => name !== anyGroup && splitCommas(name).join(',') === name && !name.includes(',')),
  );
}
