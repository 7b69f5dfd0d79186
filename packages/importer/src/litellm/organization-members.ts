import { isObject, parseJson } from '@headgate/dialects';
import type { SourceContents, SourceRow } from '../source/source.ts';
import { readText, truncate } from '../source/source-values.ts';
import type { OwnedLimits } from './litellm-budgets.ts';
import { toUserId } from './litellm-ids.ts';
import type { Team } from './litellm-teams.ts';
import { numericId, readList } from './litellm-values.ts';

/** An organization of LiteLLM, or the organization of a team without one. */
export interface Draft {
  readonly sourceId: number;
  readonly id: string;
  readonly name: string;
  /** Row with the budget and the limits. */
  readonly row: SourceRow;
  /** Team without an organization in LiteLLM. */
  readonly team: Team | undefined;
  readonly teams: Team[];
  readonly changes: string[];
}

export interface ImportedMember {
  readonly sourceId: number;
  readonly organization: number;
  /** Undefined for the super admin of this gateway. */
  readonly user: number | undefined;
  readonly role: 'owner' | 'admin' | 'member';
  /** For the report. */
  readonly label: string;
  /** True if the user does not exist in LiteLLM. */
  readonly isUnknown: boolean;
}

interface MemberContext {
  readonly source: SourceContents['tables'];
  /** Ids of all users. */
  readonly users: ReadonlySet<string>;
  readonly keys: readonly SourceRow[];
}

type Roles = Map<string, 'admin' | 'member'>;

const toMemberId = (organization: number, userId: string): number => numericId('member', String(organization), userId);

/**
 * Members of organizations and teams, and the users of their keys. The first admin becomes the owner; without admins,
 * the super admin does.
 */
export function collectMembers(drafts: readonly Draft[], context: MemberContext): readonly ImportedMember[] {
  const roles = collectRoles(drafts, context);
  return drafts.flatMap((draft) => membersOf(draft, roles.get(draft.sourceId) ?? new Map(), context.users));
}

function membersOf({ sourceId: organization, name }: Draft, roles: Roles, users: ReadonlySet<string>) {
  const owner = [...roles].find(([user, role]) => role === 'admin' && users.has(user))?.[0];
  const labelOf = (user: string) => `${JSON.stringify(truncate(user, 60))} of ${JSON.stringify(truncate(name, 60))}`;
  const members = [...roles].map(
    ([user, role]): ImportedMember => ({
      sourceId: toMemberId(organization, user),
      organization,
      user: toUserId(user),
      role: user === owner ? 'owner' : role,
      label: labelOf(user),
      isUnknown: !users.has(user),
    }),
  );
  if (owner !== undefined) return members;
  const root = { sourceId: toMemberId(organization, ''), user: undefined, role: 'owner', isUnknown: false } as const;
  return [{ ...root, organization, label: labelOf('super admin') }, ...members];
}

function collectRoles(drafts: readonly Draft[], { source, users, keys }: MemberContext): ReadonlyMap<number, Roles> {
  const all = new Map<number, Roles>();
  const add = (draft: Draft | undefined, user: string, isAdmin: boolean) => {
    if (!draft || user === '') return;
    const roles: Roles = all.get(draft.sourceId) ?? new Map();
    roles.set(user, isAdmin || roles.get(user) === 'admin' ? 'admin' : 'member');
    all.set(draft.sourceId, roles);
  };
  const byId = new Map(drafts.filter(({ team }) => !team).map((draft) => [draft.id, draft]));
  const byTeam = new Map(drafts.flatMap((draft) => draft.teams.map((team) => [team.id, draft] as const)));
  for (const row of source.LiteLLM_OrganizationMembership) {
    const isAdmin = readText(row, 'user_role') === 'org_admin';
    add(byId.get(readText(row, 'organization_id')), readText(row, 'user_id'), isAdmin);
  }
  for (const draft of drafts) {
    for (const { user, isAdmin } of draft.teams.flatMap(({ row }) => teamMembers(row))) {
      // The admin of one team must not manage the other teams of the organization.
      add(draft, user, isAdmin && draft.team !== undefined);
    }
  }
  for (const row of source.LiteLLM_UserTable) {
    for (const team of readList(row, 'teams')) add(byTeam.get(team), readText(row, 'user_id'), false);
  }
  for (const row of keys) {
    const user = readText(row, 'user_id');
    if (users.has(user)) add(byTeam.get(readText(row, 'team_id')), user, false);
  }
  return all;
}

function teamMembers(row: SourceRow): readonly { readonly user: string; readonly isAdmin: boolean }[] {
  const given = row['members_with_roles'];
  const list = Array.isArray(given) ? given : parseJson(readText(row, 'members_with_roles'));
  if (!Array.isArray(list)) return [];
  return list.filter(isObject).map((member) => ({
    user: readText(member, 'user_id'),
    isAdmin: readText(member, 'role') === 'admin',
  }));
}

interface BudgetContext {
  readonly source: SourceContents['tables'];
  readonly members: readonly ImportedMember[];
  readonly withBudget: (row: SourceRow) => SourceRow;
}

type MemberBudget = OwnedLimits & { readonly row: SourceRow };

/** Budgets of organization members, and of members of teams without an organization in LiteLLM. */
export function memberBudgets(
  drafts: readonly Draft[],
  { source, members, withBudget }: BudgetContext,
): readonly MemberBudget[] {
  const known = new Map(members.map((member) => [member.sourceId, member]));
  const own = new Map(drafts.map((draft) => [`${draft.team ? 'team' : 'organization'}:${draft.id}`, draft]));
  const budgetOf = (row: SourceRow, place: string): readonly MemberBudget[] => {
    const [draft, user] = [own.get(place), readText(row, 'user_id')];
    const member = draft && known.get(toMemberId(draft.sourceId, user));
    if (!member || readText(row, 'budget_id') === '') return [];
    const owner = { kind: 'member', sourceId: member.sourceId } as const;
    return [{ row: withBudget(row), owner, sourceId: `member:${member.sourceId}`, label: `of member ${member.label}` }];
  };
  return [
    ...source.LiteLLM_OrganizationMembership.flatMap((row) =>
      budgetOf(row, `organization:${readText(row, 'organization_id')}`),
    ),
    ...source.LiteLLM_TeamMembership.flatMap((row) => budgetOf(row, `team:${readText(row, 'team_id')}`)),
  ];
}
