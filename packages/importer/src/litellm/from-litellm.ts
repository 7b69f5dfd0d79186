import { defaultGroup, defaultOptions, role, userStatus } from '@headgate/contract';
import { ImportError } from '../import-error.ts';
import { emptyTables, type SourceContents, type SourceRow } from '../source/source.ts';
import { clamp, maxQuota, readText, truncate } from '../source/source-values.ts';
import {
  type ImportedBudget,
  type ImportedLimit,
  type OwnedLimits,
  remainingPoints,
  type ToPoints,
  toBudgets,
  toLimits,
} from './litellm-budgets.ts';
import { type Environment, readMasterKeys, toChannels } from './litellm-channels.ts';
import { collectAccessGroups, collectDeployments } from './litellm-deployments.ts';
import { toServiceAccountId, toUserId } from './litellm-ids.ts';
import { type ImportedOrganizations, toOrganizations } from './litellm-organizations.ts';
import { decryptWith } from './litellm-secrets.ts';
import { readModels, readTeams, type Team } from './litellm-teams.ts';
import { isConsoleSession, readKeyHash, tokenRow, toTokenId } from './litellm-tokens.ts';
import { hasEntries, readAmount, readList, readSeconds } from './litellm-values.ts';

/** Additional inputs of an import from LiteLLM. */
export interface LitellmSettings {
  /** Name of the source. */
  readonly name: string;
  /** Parsed config.yaml; undefined if none was given. */
  readonly config: unknown;
  readonly environment: Environment;
  /** Keys with which LiteLLM may have encrypted its models: salt key and master key. */
  readonly secrets: readonly string[];
  /** Points per dollar of the target. */
  readonly quotaPerUnit: number;
}

/** Contents of LiteLLM's database in the format of the other gateways' tables. */
interface FromLitellm {
  readonly tables: SourceContents['tables'];
  readonly budgets: readonly ImportedBudget[];
  readonly limits: readonly ImportedLimit[];
  readonly organizations: ImportedOrganizations;
  /** Groups of the accounts that pay for keys without a user. */
  readonly serviceGroups: readonly SourceRow[];
}

export function fromLitellm(source: SourceContents['tables'], settings: LitellmSettings): FromLitellm {
  const { name, config, environment, secrets, quotaPerUnit } = settings;
  const toPoints: ToPoints = (dollars) => clamp(Math.round(dollars * quotaPerUnit), maxQuota);
  const deployments = collectDeployments(config, {
    models: source.LiteLLM_ProxyModelTable,
    credentials: source.LiteLLM_CredentialsTable,
    decrypt: decryptWith([...secrets, ...readMasterKeys(config, environment)]),
  });
  const access = collectAccessGroups(deployments);
  const teams = readTeams(source.LiteLLM_TeamTable, name, access);
  const groups = [...new Set([defaultGroup, ...[...teams.values()].map(({ group }) => group)])];
  const channels = toChannels(deployments, groups.join(','), environment);
  const budgets = new Map(source.LiteLLM_BudgetTable.map((row) => [readText(row, 'budget_id'), row]));
  const keys = source.LiteLLM_VerificationToken.filter((row) => !isConsoleSession(row)).map((row) =>
    withBudget(row, budgets.get(readText(row, 'budget_id'))),
  );
  const userModels = new Map(
    source.LiteLLM_UserTable.map((row) => [readText(row, 'user_id'), readModels(row, access)] as const),
  );
  const organizations = toOrganizations({
    source,
    teams,
    keys,
    toTokenId,
    withBudget: (row) => withBudget(row, budgets.get(readText(row, 'budget_id'))),
    toPoints,
  });
  const owners = ownersOf(keys, { source, teams, name, toPoints, isAlone: organizations.isAlone });
  const tokens = keys.map((row) => tokenRow(row, owners.readId(row), { teams, userModels, access, toPoints }));
  const owned = ownedRows(source.LiteLLM_UserTable, keys);
  return {
    tables: {
      ...emptyTables(),
      users: owners.rows,
      tokens,
      channels: channels.rows,
      options: groups.length > 1 ? [groupRatios(groups)] : [],
    },
    budgets: [...organizations.budgets, ...owned].flatMap(({ row, ...of }) => toBudgets(row, of, toPoints)),
    limits: [
      ...[...teams.values()].map(groupLimits),
      ...organizations.limits.filter(({ owner }) => owner.kind === 'organization'),
      ...owned,
    ]
      .flatMap(({ row, ...of }) => toLimits(row, of))
      .concat(channels.limits),
    organizations: organizations.imported,
    serviceGroups: [...teams.values()].map(({ id, group }) => ({
      id: toServiceAccountId(id),
      group: [...new Set([defaultGroup, group])].join(','),
    })),
  };
}

/** A group is listed in the console if it has a ratio. */
const groupRatios = (groups: readonly string[]): SourceRow => ({
  key: 'GroupRatio',
  value: JSON.stringify({ ...defaultOptions.GroupRatio, ...Object.fromEntries(groups.map((group) => [group, 1])) }),
});

const budgetColumns = ['max_budget', 'budget_duration', 'rpm_limit', 'tpm_limit', 'max_parallel_requests'] as const;

/** A key's own values take precedence over those of a shared budget. */
function withBudget(row: SourceRow, budget: SourceRow | undefined): SourceRow {
  if (!budget) return row;
  const shared = budgetColumns.filter((column) => row[column] === null || row[column] === undefined);
  return { ...row, ...Object.fromEntries(shared.map((column) => [column, budget[column]])) };
}

interface OwnerContext {
  readonly source: SourceContents['tables'];
  readonly teams: ReadonlyMap<string, Team>;
  readonly name: string;
  readonly toPoints: ToPoints;
  /** True for a team without an organization in LiteLLM. */
  readonly isAlone: (teamId: string) => boolean;
}

/** Users, and an account for keys with neither a user nor a team. */
function ownersOf(keys: readonly SourceRow[], { source, teams, name, toPoints, isAlone }: OwnerContext) {
  const { LiteLLM_UserTable: users, LiteLLM_TeamMembership: memberships } = source;
  const known = new Set(users.map((row) => readText(row, 'user_id')));
  const hasUser = (row: SourceRow) => known.has(readText(row, 'user_id'));
  const { keyTeams, spentInTeams } = teamUsage(keys.filter(hasUser), teams);
  const orphans = keys.filter((row) => !hasUser(row) && !teams.has(readText(row, 'team_id')));
  const orphansSpent = orphans.reduce((sum, row) => sum + (readAmount(row, 'spend') ?? 0), 0);
  const around = { teams, keyTeams, spentInTeams, memberships, toPoints, isAlone };
  const serviceRows = orphans.length === 0 ? [] : [serviceAccount(orphansSpent, name, toPoints)];
  const rows = [...users.map((row) => userRow(row, around)), ...serviceRows];
  // Otherwise one user's keys would be assigned to another user.
  if (new Set(rows.map((row) => row['id'])).size < rows.length)
    throw new ImportError('Two users of LiteLLM have ids with the same hash: change the id of one of them.');
  return {
    rows,
    readId: (row: SourceRow) =>
      hasUser(row)
        ? toUserId(readText(row, 'user_id'))
        : toServiceAccountId(teams.get(readText(row, 'team_id'))?.id ?? ''),
  };
}

/** Teams of each user's keys, and what was spent with them. */
function teamUsage(keys: readonly SourceRow[], teams: ReadonlyMap<string, Team>) {
  const keyTeams = new Map<string, Set<string>>();
  const spentInTeams = new Map<string, number>();
  for (const row of keys) {
    const [user, team] = [readText(row, 'user_id'), readText(row, 'team_id')];
    keyTeams.set(user, (keyTeams.get(user) ?? new Set()).add(team));
    if (teams.has(team)) spentInTeams.set(user, (spentInTeams.get(user) ?? 0) + (readAmount(row, 'spend') ?? 0));
  }
  return { keyTeams, spentInTeams };
}

const quoted = (text: string) => JSON.stringify(truncate(text, 60));

/** Limits of a team apply to its group. A limit of the default group would apply to everyone. */
const groupLimits = ({ id, name, group, row }: Team): OwnedLimits & { readonly row: SourceRow } => ({
  row,
  owner: { kind: 'group', group: group === defaultGroup ? '' : group },
  sourceId: `team:${id}`,
  label: `of team ${quoted(name)}`,
});

/** Users and keys, which may have budgets and limits, with their owners. */
function ownedRows(
  users: readonly SourceRow[],
  keys: readonly SourceRow[],
): readonly (OwnedLimits & { readonly row: SourceRow })[] {
  return [
    ...users.map((row) => ({
      row,
      owner: { kind: 'user', sourceId: toUserId(readText(row, 'user_id')) } as const,
      sourceId: `user:${readText(row, 'user_id')}`,
      label: `of user ${quoted(readText(row, 'user_alias') || readText(row, 'user_id'))}`,
    })),
    ...keys.map((row) => ({
      row,
      owner: { kind: 'token', sourceId: toTokenId(row) } as const,
      sourceId: `token:${readKeyHash(row)}`,
      label: `of token ${quoted(readText(row, 'key_alias') || readText(row, 'key_name'))}`,
    })),
  ];
}

/** Balance of users without a maximum, in dollars. */
const ampleDollars = 1_000_000;

interface UserSurroundings {
  readonly teams: ReadonlyMap<string, Team>;
  /** Teams of the user's keys, by user id. */
  readonly keyTeams: ReadonlyMap<string, ReadonlySet<string>>;
  /** Dollars spent with a user's keys of teams, which organizations pay for. */
  readonly spentInTeams: ReadonlyMap<string, number>;
  /** Rows of team members with a separate budget. */
  readonly memberships: readonly SourceRow[];
  readonly toPoints: ToPoints;
  readonly isAlone: (teamId: string) => boolean;
}

/** Converts an internal user to a One API user. */
function userRow(row: SourceRow, around: UserSurroundings): SourceRow {
  const { teams, keyTeams, spentInTeams, toPoints } = around;
  const id = readText(row, 'user_id');
  // LiteLLM also adds the spend of keys of teams to their users.
  const spent = Math.max(0, (readAmount(row, 'spend') ?? 0) - (spentInTeams.get(id) ?? 0));
  const own = new Set([...readList(row, 'teams'), ...(keyTeams.get(id) ?? [])]);
  const groups = [...own].flatMap((team) => teams.get(team)?.group ?? []).filter((group) => group !== defaultGroup);
  return {
    id: toUserId(id),
    label: truncate(id, 60),
    username: readText(row, 'user_alias').trim() || readText(row, 'user_email').trim() || id,
    display_name: readText(row, 'user_alias'),
    email: readText(row, 'user_email'),
    role: readText(row, 'user_role') === 'proxy_admin' ? role.admin : role.common,
    status: userStatus.enabled,
    quota: remainingPoints(row, toPoints) ?? toPoints(ampleDollars),
    used_quota: toPoints(spent),
    group: [defaultGroup, ...groups].join(','),
    created_at: readSeconds(row, 'created_at') ?? 0,
    notes: [...importNotes(row), ...lostMemberBudgets(id, around)].join('\n'),
  };
}

function importNotes(row: SourceRow): readonly string[] {
  const userRole = readText(row, 'user_role');
  return [
    ...(/viewer$/.test(userRole) ? [`may change own tokens; the role ${userRole} is not supported here`] : []),
    ...(readText(row, 'sso_user_id') === '' ? [] : ['must connect the single sign-on account again']),
    ...(hasEntries(row, 'model_max_budget') ? ['loses the budgets per model, which are not supported here'] : []),
  ];
}

const lostMemberBudgets = (userId: string, { memberships, teams, isAlone }: UserSurroundings): readonly string[] =>
  memberships
    .filter((row) => readText(row, 'user_id') === userId && readText(row, 'budget_id') !== '')
    .filter((row) => !isAlone(readText(row, 'team_id')))
    .map((row) => {
      const team = truncate(teams.get(readText(row, 'team_id'))?.name ?? readText(row, 'team_id'), 60);
      return `loses the budget as a member of team ${JSON.stringify(team)}: set one for the tokens`;
    });

/** Owner of keys with neither a user nor a team. */
const serviceAccount = (spent: number, source: string, toPoints: ToPoints): SourceRow => ({
  id: toServiceAccountId(''),
  label: 'of all other keys',
  username: truncate(`${source}-keys`, 60).replace(/[^\p{L}\p{N}._-]+/gu, '-'),
  display_name: '',
  role: role.common,
  status: userStatus.enabled,
  quota: toPoints(ampleDollars),
  used_quota: toPoints(spent),
  group: defaultGroup,
  created_at: 0,
  notes: 'is created for keys that belong to no user',
});
