import { defaultGroup, neverExpires, tokenStatus } from '@headgate/contract';
import type { SourceRow } from '../source/source.ts';
import { readText, truncate } from '../source/source-values.ts';
import { isPeriodic, type ToPoints } from './litellm-budgets.ts';
import { parseKeyHash, tokenIdFromHash } from './litellm-ids.ts';
import { type AccessGroups, intersectModels, type ModelList, readModels, type Team } from './litellm-teams.ts';
import { hasEntries, readAmount, readList, readSeconds } from './litellm-values.ts';

export interface LitellmTokenContext {
  readonly teams: ReadonlyMap<string, Team>;
  /** Model lists of users, by their id. */
  readonly userModels: ReadonlyMap<string, ModelList>;
  readonly access: AccessGroups;
  readonly toPoints: ToPoints;
}

/** Team of the keys that LiteLLM's own console uses for sign-in. */
const dashboardTeam = 'litellm-dashboard';

export const isConsoleSession = (row: SourceRow): boolean => readText(row, 'team_id') === dashboardTeam;

export const readKeyHash = (row: SourceRow): string => parseKeyHash(readText(row, 'token'));

export const toTokenId = (row: SourceRow): number => tokenIdFromHash(readText(row, 'token'));

/** A virtual key in the format of a One API token, owned by the user with this id. */
export function tokenRow(row: SourceRow, ownerId: number, around: LitellmTokenContext): SourceRow {
  const { teams, toPoints } = around;
  const team = teams.get(readText(row, 'team_id'));
  const reasons = disablingReasons(row, team);
  const models = allowedModels(row, team, around);
  if (models?.length === 0) reasons.push('it allows no model');
  const [max, spent] = [readAmount(row, 'max_budget'), readAmount(row, 'spend') ?? 0];
  const isLimited = max !== undefined && !isPeriodic(row);
  return {
    id: toTokenId(row),
    label: readKeyHash(row).slice(0, 8),
    user_id: ownerId,
    key_hash: readKeyHash(row),
    status: reasons.length > 0 ? tokenStatus.disabled : tokenStatus.enabled,
    name: truncate(readText(row, 'key_alias') || readText(row, 'key_name'), 100),
    created_time: readSeconds(row, 'created_at') ?? 0,
    accessed_time: readSeconds(row, 'last_active') ?? 0,
    expired_time: readSeconds(row, 'expires') ?? neverExpires,
    remain_quota: isLimited ? toPoints(max - spent) : 0,
    unlimited_quota: isLimited ? 0 : 1,
    used_quota: toPoints(spent),
    models: (models ?? []).join(','),
    subnet: '',
    group: team?.group ?? defaultGroup,
    notes: [...reasons.map((reason) => `is disabled because ${reason}`), ...lossesOf(row)].join('\n'),
  };
}

function allowedModels(row: SourceRow, team: Team | undefined, { access, userModels }: LitellmTokenContext): ModelList {
  const own = readModels(row, access);
  return intersectModels(own, team ? team.models : userModels.get(readText(row, 'user_id')));
}

/** LiteLLM routes to which a model key may be restricted. */
const modelRoutes: ReadonlySet<string> = new Set(['llm_api_routes', 'openai_routes', '*', '/*']);

/** PostgreSQL's `infinity` means no expiry. */
const hasUnreadableExpiry = (row: SourceRow): boolean =>
  readSeconds(row, 'expires') === undefined && !['', 'infinity'].includes(readText(row, 'expires').trim());

/** Restrictions that cannot be expressed in this gateway disable the token, so that it does not gain access. */
function disablingReasons(row: SourceRow, team: Team | undefined): string[] {
  const routes = readList(row, 'allowed_routes');
  const isForModels = routes.length === 0 || routes.some((route) => modelRoutes.has(route));
  const teamId = readText(row, 'team_id');
  return [
    ...(row['blocked'] === true ? ['it is blocked in LiteLLM'] : []),
    ...(team?.isBlocked ? [`its team ${JSON.stringify(truncate(team.name, 60))} is blocked in LiteLLM`] : []),
    ...(teamId !== '' && !team ? ['its team does not exist in LiteLLM'] : []),
    ...(hasUnreadableExpiry(row) ? ['its expiry cannot be read'] : []),
    ...(isForModels ? [] : ['it is restricted to routes: enable it and select its endpoints']),
  ];
}

const lossColumns = {
  aliases: 'loses its model aliases, which are not supported here',
  model_max_budget: 'loses its budgets per model, which are not supported here',
} as const;

function lossesOf(row: SourceRow): readonly string[] {
  const lost = Object.entries(lossColumns).flatMap(([column, loss]) => (hasEntries(row, column) ? [loss] : []));
  const isOfProject = readText(row, 'project_id') !== '';
  return isOfProject ? [...lost, 'leaves its project, whose budget and limits are not imported'] : lost;
}
