import { defaultGroup, isUsername, organizationNameLength, projectStatus } from '@headgate/contract';
import type { SourceContents, SourceRow } from '../source/source.ts';
import { readText, truncate } from '../source/source-values.ts';
import { type OwnedLimits, remainingPoints, type ToPoints } from './litellm-budgets.ts';
import { toProjectId, toServiceAccountId } from './litellm-ids.ts';
import type { Team } from './litellm-teams.ts';
import { hasEntries, numericId, readAmount, readSeconds } from './litellm-values.ts';
import { collectMembers, type Draft, type ImportedMember, memberBudgets } from './organization-members.ts';

export interface ImportedOrganization {
  readonly sourceId: number;
  /** Id in LiteLLM, for the report. */
  readonly label: string;
  readonly name: string;
  readonly quota: number;
  readonly used_quota: number;
  readonly group: string;
  readonly created_time: number;
  readonly changes: readonly string[];
}

interface ImportedProject {
  readonly sourceId: number;
  readonly organization: number;
  readonly name: string;
  readonly models: string;
  readonly status: number;
}

/** Owner of a team's keys without a user. */
interface ImportedServiceAccount {
  readonly sourceId: number;
  readonly organization: number;
  readonly name: string;
}

/** Organization that pays for a token. */
export interface TokenPayer {
  readonly organization: number;
  readonly project: number;
  /** 0 for a member's token. */
  readonly serviceAccount: number;
}

export interface ImportedOrganizations {
  readonly organizations: readonly ImportedOrganization[];
  readonly members: readonly ImportedMember[];
  readonly projects: readonly ImportedProject[];
  readonly serviceAccounts: readonly ImportedServiceAccount[];
  /** By source id of the token. */
  readonly payers: ReadonlyMap<number, TokenPayer>;
}

export const noOrganizations: ImportedOrganizations = {
  organizations: [],
  members: [],
  projects: [],
  serviceAccounts: [],
  payers: new Map(),
};

interface OrganizationContext {
  readonly source: SourceContents['tables'];
  readonly teams: ReadonlyMap<string, Team>;
  /** Keys that are imported. */
  readonly keys: readonly SourceRow[];
  readonly toTokenId: (row: SourceRow) => number;
  readonly withBudget: (row: SourceRow) => SourceRow;
  readonly toPoints: ToPoints;
}

/**
 * LiteLLM's organizations, and one for each team without an organization. Each team becomes a project, and the keys of
 * teams become tokens that the organization pays for.
 */
export function toOrganizations(context: OrganizationContext) {
  const { source, teams, keys, toTokenId, toPoints } = context;
  const users = new Set(source.LiteLLM_UserTable.map((row) => readText(row, 'user_id')));
  const drafts = collectDrafts(context);
  const byTeam = new Map(drafts.flatMap((draft) => draft.teams.map((team) => [team.id, draft] as const)));
  const names = new Map(drafts.flatMap(projectNames));
  const payers = new Map<number, TokenPayer>();
  const services = new Map<number, ImportedServiceAccount>();
  const spent = new Map<number, number>();
  for (const row of keys) {
    const team = teams.get(readText(row, 'team_id'));
    const draft = team && byTeam.get(team.id);
    if (!team || !draft) continue;
    const { sourceId: organization } = draft;
    const serviceAccount = users.has(readText(row, 'user_id')) ? 0 : toServiceAccountId(team.id);
    payers.set(toTokenId(row), { organization, project: toProjectId(team.id), serviceAccount });
    spent.set(organization, (spent.get(organization) ?? 0) + (readAmount(row, 'spend') ?? 0));
    if (serviceAccount !== 0)
      services.set(serviceAccount, { sourceId: serviceAccount, organization, name: names.get(team.id) ?? '' });
  }
  const members = collectMembers(drafts, { source, users, keys });
  return {
    imported: {
      organizations: drafts.map((draft) => organizationOf(draft, spent.get(draft.sourceId) ?? 0, toPoints)),
      members,
      projects: drafts.flatMap((draft) => draft.teams.map((team) => projectOf(team, draft, names.get(team.id)))),
      serviceAccounts: [...services.values()],
      payers,
    } satisfies ImportedOrganizations,
    budgets: [...drafts.flatMap(budgetOwners), ...memberBudgets(drafts, { ...context, members })],
    limits: drafts.filter(({ team }) => team === undefined).flatMap(budgetOwners),
    isAlone: (teamId: string) => byTeam.get(teamId)?.team !== undefined,
  };
}

function collectDrafts({ source, teams, withBudget }: OrganizationContext): readonly Draft[] {
  const drafts = new Map<string, Draft>();
  for (const row of source.LiteLLM_OrganizationTable) {
    const id = readText(row, 'organization_id');
    if (id === '' || drafts.has(id)) continue;
    const name = readText(row, 'organization_alias').trim() || id;
    const sourceId = numericId('organization', id);
    drafts.set(id, { sourceId, id, name, row: withBudget(row), team: undefined, teams: [], changes: [] });
  }
  const alone: Draft[] = [];
  for (const team of teams.values()) {
    const id = readText(team.row, 'organization_id');
    const draft = drafts.get(id);
    if (draft) draft.teams.push(team);
    else alone.push(ownDraft(team, id));
  }
  return [...drafts.values(), ...alone];
}

function ownDraft(team: Team, organization: string): Draft {
  const { id, name, row } = team;
  const changes = organization === '' ? [] : ['is created for a team whose organization does not exist in LiteLLM'];
  return { sourceId: numericId('team organization', id), id, name, row, team, teams: [team], changes };
}

/** Balance of organizations without a total budget, in dollars, as for users. */
const ampleDollars = 1_000_000;

function organizationOf(draft: Draft, spent: number, toPoints: ToPoints): ImportedOrganization {
  const { sourceId, id, row, teams, changes } = draft;
  const name = validName(draft);
  const groups = [defaultGroup, ...teams.map(({ group }) => group)];
  return {
    sourceId,
    label: truncate(id, 60),
    name,
    quota: Math.max(0, remainingPoints(row, toPoints) ?? toPoints(ampleDollars)),
    used_quota: toPoints(spent),
    group: [...new Set(groups)].join(','),
    created_time: readSeconds(row, 'created_at') ?? 0,
    changes: [
      ...changes,
      ...(name === draft.name ? [] : [`is renamed to ${JSON.stringify(name)} because the name is not valid here`]),
      ...(hasEntries(row, 'models') && draft.team === undefined
        ? ['has no list of models here: only its projects and tokens have one']
        : []),
    ],
  };
}

function validName({ name, sourceId }: Draft): string {
  const cleaned = name.normalize('NFC').replace(/[\p{C}\p{Default_Ignorable_Code_Point}\s@]+/gu, ' ');
  const short = truncate(cleaned.trim(), organizationNameLength.max - 10).trim();
  return short !== '' && isUsername(short) ? short : `organization ${sourceId}`;
}

/** Names by team id, unique within the organization. */
function projectNames({ teams }: Draft): readonly (readonly [id: string, name: string])[] {
  const counts = new Map<string, number>();
  return teams.map((team) => {
    const name = truncate(team.name || team.id, 50).trim() || 'team';
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return [team.id, count === 1 ? name : `${name} ${count}`];
  });
}

function projectOf(team: Team, { sourceId: organization }: Draft, name = ''): ImportedProject {
  const isUsable = !team.isBlocked && team.models?.length !== 0;
  return {
    sourceId: toProjectId(team.id),
    organization,
    name,
    models: (team.models ?? []).join(','),
    status: isUsable ? projectStatus.enabled : projectStatus.disabled,
  };
}

/** The budget of a team without an organization is the budget of its organization; for others, of the project. */
function budgetOwners({ sourceId, id, name, row, team, teams }: Draft): readonly (OwnedLimits & { row: SourceRow })[] {
  const quoted = (text: string) => JSON.stringify(truncate(text, 60));
  const owner = { kind: 'organization', sourceId } as const;
  if (team) return [{ row, owner, sourceId: `team:${id}`, label: `of team ${quoted(name)}` }];
  return [
    { row, owner, sourceId: `organization:${id}`, label: `of organization ${quoted(name)}` },
    ...teams.map((each) => ({
      row: each.row,
      owner: { kind: 'project', sourceId: toProjectId(each.id) } as const,
      sourceId: `team:${each.id}`,
      label: `of team ${quoted(each.name)}`,
    })),
  ];
}
