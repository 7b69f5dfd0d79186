import { matchesPattern, parseTags, splitCommas, type Tags } from '@headgate/contract';
import { dialectFamily, type EndpointKind, endpointFamily, RelayError } from '@headgate/relay';
import type { Binding } from '../upstreams/binding.ts';
import type { CallerTokenRow } from './caller-repository.ts';

interface AllowedModels {
  has(model: string): boolean;
}

/** Restrictions of a token; undefined means unrestricted. */
export interface TokenScope {
  models: AllowedModels | undefined;
  groups: ReadonlySet<string> | undefined;
  dialects: ReadonlySet<string> | undefined;
  endpoints: ReadonlySet<string> | undefined;
  binding: Binding | undefined;
  /** Tags of all requests. */
  fixedTags: Tags | undefined;
}

const some = (list: string): ReadonlySet<string> | undefined => {
  const names = splitCommas(list);
  return names.length > 0 ? new Set(names) : undefined;
};

export function parseTokenScope({
  models,
  groups,
  dialects,
  endpoints,
  channels,
  tags,
  fixed_tags,
  project_models,
  project_tags,
}: CallerTokenRow): TokenScope {
  const ids = splitCommas(channels).map(Number);
  const labels = splitCommas(tags);
  return {
    models: intersectModels(allowedModels(models), allowedModels(project_models ?? '')),
    groups: some(groups),
    dialects: some(dialects),
    endpoints: some(endpoints),
    binding: ids.length + labels.length > 0 ? { channels: new Set(ids), tags: new Set(labels) } : undefined,
    // The project's tags take precedence.
    fixedTags: fixed_tags || project_tags ? { ...parseTags(fixed_tags), ...parseTags(project_tags ?? '') } : undefined,
  };
}

/** Exact and case-sensitive except for wildcards, so that look-alike model names do not match. */
function allowedModels(list: string): AllowedModels | undefined {
  const exact = some(list);
  const patterns = splitCommas(list).filter((name) => name.includes('*'));
  if (!exact || patterns.length === 0) return exact;
  return { has: (model) => exact.has(model) || patterns.some((pattern) => matchesPattern(pattern, model)) };
}

/** Models that the token and its project allow. */
const intersectModels = (
  one: AllowedModels | undefined,
  other: AllowedModels | undefined,
): AllowedModels | undefined =>
  one && other ? { has: (model) => one.has(model) && other.has(model) } : (one ?? other);

type Narrowed = Pick<TokenScope, 'dialects' | 'endpoints'>;

/** Throws if the token may not use this endpoint or dialect. */
export function requireEndpoint({ dialects, endpoints }: Narrowed, kind: EndpointKind): void {
  if (endpoints && !endpoints.has(endpointFamily(kind))) throw notFor('this endpoint');
  if (dialects && !dialects.has(dialectFamily(kind))) throw notFor('this dialect');
}

/** Throws if the token is restricted at all: the endpoint of a proxied request is unknown. */
export function requireAnyEndpoint({ dialects, endpoints }: Narrowed): void {
  if (dialects || endpoints) throw notFor('proxy channels');
}

const notFor = (what: string) =>
  new RelayError(403, `This API token is not allowed to use ${what}`, 'endpoint_not_allowed');
