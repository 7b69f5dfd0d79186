import { fitsPattern, splitCommas, type TokenEndpoint } from '@headgate/contract';
import { type EndpointKind, failureDialectOf, RelayError } from '@headgate/relay';
import type { Binding } from '../upstreams/binding.ts';
import type { TokenFacts } from './caller-repository.ts';

/** The models that a token may use. */
interface AllowedModels {
  has(model: string): boolean;
}

/** What a token is narrowed to; undefined wherever it is not. */
export interface TokenScope {
  models: AllowedModels | undefined;
  groups: ReadonlySet<string> | undefined;
  dialects: ReadonlySet<string> | undefined;
  endpoints: ReadonlySet<string> | undefined;
  binding: Binding | undefined;
}

const some = (list: string): ReadonlySet<string> | undefined => {
  const names = splitCommas(list);
  return names.length > 0 ? new Set(names) : undefined;
};

export function scopeOf({ models, groups, dialects, endpoints, channels, tags }: TokenFacts): TokenScope {
  const ids = splitCommas(channels).map(Number);
  const labels = splitCommas(tags);
  return {
    models: allowedModels(models),
    groups: some(groups),
    dialects: some(dialects),
    endpoints: some(endpoints),
    binding: ids.length + labels.length > 0 ? { channels: new Set(ids), tags: new Set(labels) } : undefined,
  };
}

/** Exact and case-sensitive, but for the stars of patterns: nothing that only looks like an allowed model is one. */
function allowedModels(list: string): AllowedModels | undefined {
  const exact = some(list);
  const patterns = splitCommas(list).filter((name) => name.includes('*'));
  if (!exact || patterns.length === 0) return exact;
  return { has: (model) => exact.has(model) || patterns.some((pattern) => fitsPattern(pattern, model)) };
}

/** The endpoints that are the same to a token; the others are called as they are. */
const families: Partial<Readonly<Record<EndpointKind['name'], TokenEndpoint>>> = {
  chat: 'conversations',
  responses: 'conversations',
  messages: 'conversations',
  generateContent: 'conversations',
  ollamaChat: 'conversations',
  ollamaGenerate: 'conversations',
  compact: 'conversations',
  imageEdits: 'images',
  translations: 'transcriptions',
};

type Narrowed = Pick<TokenScope, 'dialects' | 'endpoints'>;

/** Whether what is asked for, and in whose words, is of those that the token may be used for. */
export function requireEndpoint({ dialects, endpoints }: Narrowed, kind: EndpointKind): void {
  if (endpoints && !endpoints.has(families[kind.name] ?? kind.name)) throw notFor('this endpoint');
  if (!dialects) return;
  // The maker stands before the dash.
  const [maker = ''] = failureDialectOf(kind).name.split('-');
  if (!dialects.has(maker)) throw notFor('this dialect');
}

/** Whether the token may make calls of which nobody knows what they are. */
export function requireAnyEndpoint({ dialects, endpoints }: Narrowed): void {
  if (dialects || endpoints) throw notFor('calls that are passed on');
}

const notFor = (what: string) => new RelayError(403, `The token may not be used for ${what}`, 'endpoint_not_allowed');
