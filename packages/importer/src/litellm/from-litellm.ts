import { defaultGroup, defaultOptions } from '@headgate/contract';
import { maxQuota } from '../mapping/map-user.ts';
import { type SourceContents, type SourceRow, sourceTables } from '../source/source.ts';
import { clamp, textOf, truncate } from '../source/source-values.ts';
import {
  budgetsOf,
  type ImportedBudget,
  type ImportedLimit,
  limitsOf,
  type Owned,
  type ToPoints,
} from './litellm-budgets.ts';
import { accessGroupsOf, channelsOf, deploymentsOf, type Environment } from './litellm-channels.ts';
import { modelsOf } from './litellm-models.ts';
import { type Team, teamsOf } from './litellm-teams.ts';
import { isConsoleSession, tokenIdOf, tokenRow } from './litellm-tokens.ts';
import { serviceAccount, serviceAccountId, userIdOf, userRow } from './litellm-users.ts';

/** What an import from LiteLLM reads besides its database. */
export interface LitellmSettings {
  /** Name of the source. */
  readonly name: string;
  /** Parsed config.yaml; undefined if none was given. */
  readonly config: unknown;
  readonly environment: Environment;
  /** Points per dollar of the target. */
  readonly quotaPerUnit: number;
}

/** Contents of LiteLLM in the form of the other gateways' tables. */
interface FromLitellm {
  readonly tables: SourceContents['tables'];
  readonly budgets: readonly ImportedBudget[];
  readonly limits: readonly ImportedLimit[];
}

export function fromLitellm(source: SourceContents['tables'], settings: LitellmSettings): FromLitellm {
  const { name, config, environment, quotaPerUnit } = settings;
  const toPoints: ToPoints = (dollars) => clamp(Math.round(dollars * quotaPerUnit), maxQuota);
  const deployments = deploymentsOf(config, source.LiteLLM_ProxyModelTable);
  const access = accessGroupsOf(deployments);
  const teams = teamsOf(source.LiteLLM_TeamTable, name, access);
  const groups = [...new Set([defaultGroup, ...[...teams.values()].map(({ group }) => group)])];
  const channels = channelsOf(deployments, groups.join(','), environment);
  const budgets = new Map(source.LiteLLM_BudgetTable.map((row) => [textOf(row, 'budget_id'), row]));
  const keys = source.LiteLLM_VerificationToken.filter((row) => !isConsoleSession(row)).map((row) =>
    withBudget(row, budgets.get(textOf(row, 'budget_id'))),
  );
  const userModels = new Map(
    source.LiteLLM_UserTable.map((row) => [textOf(row, 'user_id'), modelsOf(row, access)] as const),
  );
  const owners = ownersOf(keys, { source, teams, name, toPoints });
  const tokens = keys.map((row) => tokenRow(row, owners.idOf(row), { teams, userModels, access, toPoints }));
  const owned = ownedRows(source.LiteLLM_UserTable, teams, keys);
  return {
    tables: {
      ...emptyTables(),
      users: owners.rows,
      tokens,
      channels: channels.rows,
      options: groups.length > 1 ? [groupRatios(groups)] : [],
    },
    budgets: owned.flatMap(({ row, ...of }) => budgetsOf(row, of, toPoints)),
    limits: [...owned.flatMap(({ row, ...of }) => limitsOf(row, of)), ...channels.limits],
  };
}

const emptyTables = (): SourceContents['tables'] =>
  Object.fromEntries(sourceTables.map((table) => [table, []])) as unknown as SourceContents['tables'];

/** A group is listed in the console if it has a ratio. */
const groupRatios = (groups: readonly string[]): SourceRow => ({
  key: 'GroupRatio',
  value: JSON.stringify({ ...defaultOptions.GroupRatio, ...Object.fromEntries(groups.map((group) => [group, 1])) }),
});

const budgetColumns = ['max_budget', 'budget_duration', 'rpm_limit', 'tpm_limit', 'max_parallel_requests'] as const;

/** A key's own values come before those of the budget that it shares with others. */
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
}

/** Users and the service accounts that keys without a user need. */
function ownersOf(keys: readonly SourceRow[], { source, teams, name, toPoints }: OwnerContext) {
  const { LiteLLM_UserTable: users, LiteLLM_TeamMembership: memberships } = source;
  const known = new Set(users.map((row) => textOf(row, 'user_id')));
  const keyTeams = new Map<string, Set<string>>();
  const services = new Map<number, SourceRow>();
  const hasUser = (row: SourceRow) => known.has(textOf(row, 'user_id'));
  for (const row of keys) {
    const [user, team] = [textOf(row, 'user_id'), textOf(row, 'team_id')];
    if (hasUser(row)) keyTeams.set(user, (keyTeams.get(user) ?? new Set()).add(team));
    else services.set(serviceAccountId(teams.get(team)), serviceAccount(teams.get(team), name, toPoints));
  }
  return {
    rows: [...users.map((row) => userRow(row, { teams, keyTeams, memberships, toPoints })), ...services.values()],
    idOf: (row: SourceRow) =>
      hasUser(row) ? userIdOf(textOf(row, 'user_id')) : serviceAccountId(teams.get(textOf(row, 'team_id'))),
  };
}

/** Rows that may have budgets and limits, with their owners: teams, users and keys. */
function ownedRows(
  users: readonly SourceRow[],
  teams: ReadonlyMap<string, Team>,
  keys: readonly SourceRow[],
): readonly (Owned & { readonly row: SourceRow })[] {
  const quoted = (text: string) => JSON.stringify(truncate(text, 60));
  return [
    ...[...teams.values()].map(({ id, name, group, row }) => ({
      row,
      // A budget of the default group would apply to everyone.
      owner: { kind: 'group', group: group === defaultGroup ? '' : group } as const,
      sourceId: `team:${id}`,
      label: `of team ${quoted(name)}`,
    })),
    ...users.map((row) => ({
      row,
      owner: { kind: 'user', sourceId: userIdOf(textOf(row, 'user_id')) } as const,
      sourceId: `user:${textOf(row, 'user_id')}`,
      label: `of user ${quoted(textOf(row, 'user_alias') || textOf(row, 'user_id'))}`,
    })),
    ...keys.map((row) => ({
      row,
      owner: { kind: 'token', sourceId: tokenIdOf(row) } as const,
      sourceId: `token:${textOf(row, 'token')}`,
      label: `of token ${quoted(textOf(row, 'key_alias') || textOf(row, 'key_name'))}`,
    })),
  ];
}
