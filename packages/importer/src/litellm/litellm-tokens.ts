import { defaultGroup, neverExpires, tokenStatus } from '@headgate/contract';
import type { SourceRow } from '../source/source.ts';
import { textOf, truncate } from '../source/source-values.ts';
import { isPeriodic, type ToPoints } from './litellm-budgets.ts';
import { parseKeyHash, tokenIdOfHash } from './litellm-ids.ts';
import { type AccessGroups, intersectModels, type ModelList, modelsOf, type Team } from './litellm-teams.ts';
import { amountOf, hasEntries, listOf, secondsOf } from './litellm-values.ts';

export interface LitellmTokenContext {
  readonly teams: ReadonlyMap<string, Team>;
  /** Model lists of users, by their id. */
  readonly userModels: ReadonlyMap<string, ModelList>;
  readonly access: AccessGroups;
  readonly toPoints: ToPoints;
}

/** Team of the keys that LiteLLM's own console uses for sign-in. */
const dashboardTeam = 'litellm-dashboard';

export const isConsoleSession = (row: SourceRow): boolean => textOf(row, 'team_id') === dashboardTeam;

export const keyHashOf = (row: SourceRow): string => parseKeyHash(textOf(row, 'token'));

export const tokenIdOf = (row: SourceRow): number => tokenIdOfHash(textOf(row, 'token'));

/** A virtual key in the format of a One API token, owned by the user with this id. */
export function tokenRow(row: SourceRow, ownerId: number, around: LitellmTokenContext): SourceRow {
  const { teams, toPoints } = around;
  const team = teams.get(textOf(row, 'team_id'));
  const reasons = disablingReasons(row, team);
  const models = allowedModels(row, team, around);
  if (models?.length === 0) reasons.push('it allows no model');
  const [most, spent] = [amountOf(row, 'max_budget'), amountOf(row, 'spend') ?? 0];
  const isLimited = most !== undefined && !isPeriodic(row);
  return {
    id: tokenIdOf(row),
    label: keyHashOf(row).slice(0, 8),
    user_id: ownerId,
    key_hash: keyHashOf(row),
    status: reasons.length > 0 ? tokenStatus.disabled : tokenStatus.enabled,
    name: truncate(textOf(row, 'key_alias') || textOf(row, 'key_name'), 100),
    created_time: secondsOf(row, 'created_at') ?? 0,
    accessed_time: secondsOf(row, 'last_active') ?? 0,
    expired_time: secondsOf(row, 'expires') ?? neverExpires,
    remain_quota: isLimited ? toPoints(most - spent) : 0,
    unlimited_quota: isLimited ? 0 : 1,
    used_quota: toPoints(spent),
    models: (models ?? []).join(','),
    subnet: '',
    group: team?.group ?? defaultGroup,
    notes: [...reasons.map((reason) => `is disabled because ${reason}`), ...lossesOf(row)].join('\n'),
  };
}

function allowedModels(row: SourceRow, team: Team | undefined, { access, userModels }: LitellmTokenContext): ModelList {
  const own = modelsOf(row, access);
  return intersectModels(own, team ? team.models : userModels.get(textOf(row, 'user_id')));
}

/** LiteLLM routes to which a model key may be restricted. */
const modelRoutes: ReadonlySet<string> = new Set(['llm_api_routes', 'openai_routes', '*', '/*']);

/** PostgreSQL's `infinity` means no expiry. */
const hasUnreadableExpiry = (row: SourceRow): boolean =>
  secondsOf(row, 'expires') === undefined && !['', 'infinity'].includes(textOf(row, 'expires').trim());

/** Restrictions that cannot be expressed in this gateway disable the token, so that it does not gain access. */
function disablingReasons(row: SourceRow, team: Team | undefined): string[] {
  const routes = listOf(row, 'allowed_routes');
  const isForModels = routes.length === 0 || routes.some((route) => modelRoutes.has(route));
  const teamId = textOf(row, 'team_id');
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
  const isOfProject = textOf(row, 'project_id') !== '';
  return isOfProject ? [...lost, 'leaves its project, whose budget and limits are not imported'] : lost;
}
