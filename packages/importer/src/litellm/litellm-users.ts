import { defaultGroup, role, userStatus } from '@headgate/contract';
import type { SourceRow } from '../source/source.ts';
import { textOf, truncate } from '../source/source-values.ts';
import { resets, type ToPoints } from './litellm-budgets.ts';
import type { Team } from './litellm-teams.ts';
import { amountOf, hasEntries, listOf, numericId, secondsOf } from './litellm-values.ts';

/** Balance of users without a maximum, in dollars. */
const ampleDollars = 1_000_000;

export const userIdOf = (id: string): number => numericId('user', id);

export interface UserSurroundings {
  readonly teams: ReadonlyMap<string, Team>;
  /** Teams of the user's keys, by user id. */
  readonly keyTeams: ReadonlyMap<string, ReadonlySet<string>>;
  /** Rows of team members with a separate budget. */
  readonly memberships: readonly SourceRow[];
  readonly toPoints: ToPoints;
}

/** An internal user in the form of a One API user. */
export function userRow(row: SourceRow, around: UserSurroundings): SourceRow {
  const { teams, keyTeams, toPoints } = around;
  const id = textOf(row, 'user_id');
  const [most, spent] = [amountOf(row, 'max_budget'), amountOf(row, 'spend') ?? 0];
  const isLimited = most !== undefined && !resets(row);
  const own = new Set([...listOf(row, 'teams'), ...(keyTeams.get(id) ?? [])]);
  const groups = [...own].flatMap((team) => teams.get(team)?.group ?? []).filter((group) => group !== defaultGroup);
  return {
    id: userIdOf(id),
    label: truncate(id, 60),
    username: textOf(row, 'user_alias').trim() || textOf(row, 'user_email').trim() || id,
    display_name: textOf(row, 'user_alias'),
    email: textOf(row, 'user_email'),
    role: textOf(row, 'user_role') === 'proxy_admin' ? role.admin : role.common,
    status: userStatus.enabled,
    quota: isLimited ? toPoints(most - spent) : toPoints(ampleDollars),
    used_quota: toPoints(spent),
    group: [defaultGroup, ...groups].join(','),
    created_at: secondsOf(row, 'created_at') ?? 0,
    notes: [...notesOf(row, groups.length > 0 && most !== undefined), ...lostMemberBudgets(id, around)].join('\n'),
  };
}

function notesOf(row: SourceRow, isBudgetShared: boolean): readonly string[] {
  const userRole = textOf(row, 'user_role');
  return [
    ...(isBudgetShared ? ['is limited by the personal budget with keys of teams too'] : []),
    ...(/viewer$/.test(userRole) ? [`may change own tokens; the role ${userRole} is not supported here`] : []),
    ...(textOf(row, 'sso_user_id') === '' ? [] : ['must connect the single sign-on account again']),
    ...(hasEntries(row, 'model_max_budget') ? ['loses the budgets per model, which are not supported here'] : []),
  ];
}

const lostMemberBudgets = (userId: string, { memberships, teams }: UserSurroundings): readonly string[] =>
  memberships
    .filter((row) => textOf(row, 'user_id') === userId && textOf(row, 'budget_id') !== '')
    .map((row) => {
      const team = truncate(teams.get(textOf(row, 'team_id'))?.name ?? textOf(row, 'team_id'), 60);
      return `loses the budget as a member of team ${JSON.stringify(team)}: set one for the tokens`;
    });

/** Owner of keys without a user: one account per team, and one for keys without a team. */
export function serviceAccount(team: Team | undefined, source: string, toPoints: ToPoints): SourceRow {
  const name = truncate(`${source}-${team?.name ?? 'keys'}`, 60).replace(/[^\p{L}\p{N}._-]+/gu, '-');
  return {
    id: serviceAccountId(team),
    label: team ? `of team ${truncate(team.id, 60)}` : 'of all other keys',
    username: name,
    display_name: '',
    role: role.common,
    status: userStatus.enabled,
    quota: toPoints(ampleDollars),
    used_quota: 0,
    group: [...new Set([defaultGroup, ...(team ? [team.group] : [])])].join(','),
    created_at: 0,
    notes: 'is created for keys that belong to no user',
  };
}

export const serviceAccountId = (team: Team | undefined): number => numericId('service account', team?.id ?? '');
