import { defaultGroup, splitCommas } from '@headgate/contract';
import type { SourceContents, SourceKind, SourceRow } from '../source/source.ts';
import { cut, isDeleted, objectOf, textOf } from '../source/source-values.ts';
import { longestGroups } from './map-user.ts';

/** Which groups serve a token here. */
export interface TokenScope {
  /** Empty: those of its user. */
  readonly groups: string;
  /** What is different about it, in a few words; undefined: nothing. */
  readonly change?: string | undefined;
  /** It was of no use there. */
  readonly isShut?: boolean | undefined;
}

/**
 * A token of new-api may name a group that serves it in place of its user's, one of those that everybody may choose. Here tokens
 * are narrowed to groups of their user: so the user has that group too, and the other tokens are narrowed to what was theirs.
 */
export interface TokenGroups {
  /** Groups that a user has for the sake of tokens, beside the own. */
  addedTo(userId: string): readonly string[];
  /** `known`: users who came before, and stay as they are. */
  scopeOf(token: SourceRow, known: ReadonlyMap<string, unknown>): TokenScope;
}

const noScope: TokenScope = { groups: '' };

/** What everybody may choose where nobody has said. */
const usuallyUsable = ['default', 'vip'];
const anyGroup = 'auto';

export function groupsOfTokens({ users, tokens, options }: SourceContents['tables'], kind: SourceKind): TokenGroups {
  if (kind !== 'new-api') return { addedTo: () => [], scopeOf: () => noScope };
  const usable = usableGroups(options);
  const own = new Map(users.map((row) => [textOf(row, 'id'), groupsOf(row)]));
  const ownOf = (userId: string) => own.get(userId) ?? [defaultGroup];
  const added = new Map<string, Set<string>>();
  for (const token of tokens.filter((row) => !isDeleted(row))) {
    const [userId, group] = [textOf(token, 'user_id'), groupOf(token)];
    if (!usable.has(group) || ownOf(userId).includes(group)) continue;
    const others = added.get(userId) ?? new Set();
    if ([...ownOf(userId), ...others, group].join(',').length > longestGroups) continue;
    added.set(userId, others.add(group));
  }
  const ofUser = (userId: string, known: ReadonlyMap<string, unknown>) =>
    added.has(userId) && !known.has(userId) ? ownOf(userId).join(',') : '';
  const ofAnother = (group: string, userId: string, isKnown: boolean): TokenScope => {
    const told = JSON.stringify(cut(group, 50));
    if (!usable.has(group)) return { groups: '', isShut: true, change: changes.foreign(told) };
    if (isKnown) return { groups: group, change: changes.later(told) };
    return added.get(userId)?.has(group)
      ? { groups: group }
      : { groups: '', isShut: true, change: changes.tooMany(told) };
  };
  return {
    addedTo: (userId) => [...(added.get(userId) ?? [])],
    scopeOf: (token, known) => {
      const [userId, group] = [textOf(token, 'user_id'), groupOf(token)];
      if (group === '') return { groups: ofUser(userId, known) };
      if (group === anyGroup) return { groups: ofUser(userId, known), change: changes.any };
      return ownOf(userId).includes(group) ? { groups: group } : ofAnother(group, userId, known.has(userId));
    },
  };
}

const changes = {
  any: `is served by the groups of its user, not by "${anyGroup}"`,
  foreign: (group: string) => `is disabled, as its user may not use the group ${group}`,
  tooMany: (group: string) => `is disabled, as its user has no room for the group ${group}`,
  later: (group: string) => `is of use when its user has the group ${group}`,
} as const;

const groupOf = (token: SourceRow): string => textOf(token, 'group').trim();

function groupsOf(user: SourceRow): readonly string[] {
  const groups = splitCommas(textOf(user, 'group'));
  return groups.length > 0 ? groups : [defaultGroup];
}

function usableGroups(options: readonly SourceRow[]): ReadonlySet<string> {
  const row = options.find((option) => textOf(option, 'key') === 'UserUsableGroups');
  const groups = row && objectOf(row, 'value');
  const named = groups ? Object.keys(groups) : usuallyUsable;
  // What has a comma in it would be several here.
  return new Set(
    named.filter((name) => name !== anyGroup && splitCommas(name).join(',') === name && !name.includes(',')),
  );
}
