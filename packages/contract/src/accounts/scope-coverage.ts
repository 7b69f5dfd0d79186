import type { Endpoint } from '../wire/endpoint.ts';
import { apiTables } from '../wire/tables.ts';
import type { AccessScope } from './access-token.ts';
import { organizationTokenApi } from './organization-token.ts';
import { redemptionApi } from './redemption.ts';
import { tokenApi } from './token.ts';

type Tables = typeof apiTables;
type NarrowScope = Exclude<AccessScope, 'all'>;

/** Coverage of a resource: read endpoints, all endpoints, or the listed ones. */
type Coverage<Name extends keyof Tables> = 'reads' | 'every row' | readonly (keyof Tables[Name])[];

/**
 * Endpoints that each scope covers, by resource. A resource without an entry does not compile; endpoints that are not
 * listed are rejected. A scope never grants more than the role of its user, and never covers endpoints that require a
 * proof of identity.
 */
const coverage: { readonly [Name in keyof Tables]: Readonly<Partial<Record<NarrowScope, Coverage<Name>>>> } = {
  status: {},
  publicStatus: {},
  session: { read: 'reads' },
  registration: {},
  oauth: { read: 'reads' },
  secondFactor: { read: 'reads' },
  passkey: { read: 'reads' },
  accessToken: { read: 'reads' },
  mail: {},
  managed: { read: 'reads' },
  user: { read: 'reads', usage: ['self', 'dashboard'], channels: ['self'] },
  userBulk: {},
  userSupport: { read: 'reads' },
  userLimit: { read: 'reads' },
  budget: { read: 'reads' },
  ownBudget: { read: 'reads', usage: 'reads' },
  organization: { read: 'reads', usage: 'reads' },
  organizationMember: { read: 'reads' },
  organizationInvitation: { read: 'reads' },
  organizationToken: { read: 'reads' },
  organizationBudget: { read: 'reads', usage: 'reads' },
  organizationUsage: { read: 'reads', usage: 'reads' },
  organizationDirectory: { read: 'reads' },
  organizationSso: { read: 'reads' },
  jwtIssuer: { read: 'reads' },
  ssoSignIn: { read: 'reads' },
  project: { read: 'reads' },
  serviceAccount: { read: 'reads' },
  group: { read: 'reads', channels: 'reads' },
  subject: { read: 'reads' },
  model: { read: 'reads', channels: 'reads' },
  option: { read: 'reads' },
  channel: { read: 'reads', channels: 'every row' },
  channelBulk: { channels: 'every row' },
  channelKey: { read: 'reads', channels: 'every row' },
  channelPause: { read: 'reads', channels: 'every row' },
  channelOverview: { read: 'reads', channels: 'reads' },
  token: { read: 'reads' },
  tokenBulk: {},
  redemption: { read: 'reads' },
  redemptionBulk: {},
  payment: { read: 'reads' },
  order: { read: 'reads' },
  plan: { read: 'reads' },
  userPlan: { read: 'reads' },
  ownPlan: { read: 'reads', usage: ['own'] },
  checkIn: { read: 'reads' },
  referral: { read: 'reads' },
  userExport: { read: 'reads' },
  tokenExport: { read: 'reads' },
  channelPreview: { channels: 'every row' },
  channelExport: { read: 'reads', channels: 'every row' },
  // Redemption codes are worth quota.
  redemptionExport: {},
  price: { read: 'reads' },
  limitRule: { read: 'reads' },
  routing: { read: 'reads' },
  log: { read: 'reads', usage: 'reads' },
  keptBody: { read: 'reads' },
  ledger: { read: 'reads' },
  node: { read: 'reads' },
  usage: { read: 'reads', usage: 'reads' },
  statement: { read: 'reads', usage: 'reads' },
  home: { read: 'reads', usage: 'reads' },
  view: { read: 'reads' },
  alert: { read: 'reads' },
  incident: { read: 'reads' },
  logExport: { read: 'reads' },
};

/** True for GET requests without side effects, and for exports selected by ids. */
const isRead = ({ method, changes, file }: Endpoint): boolean => file === true || (method === 'GET' && !changes);

type AnyCoverage = 'reads' | 'every row' | readonly string[];

function isCovered(covered: AnyCoverage | undefined, row: string, endpoint: Endpoint): boolean {
  if (covered === undefined) return false;
  if (covered === 'every row') return true;
  return covered === 'reads' ? isRead(endpoint) : covered.includes(row);
}

const narrowScopes = ['read', 'usage', 'channels'] as const satisfies readonly NarrowScope[];

function scopesIn(table: keyof Tables, row: string, endpoint: Endpoint): readonly AccessScope[] {
  if (endpoint.access === 'visitor' || endpoint.proof) return [];
  const of: Readonly<Partial<Record<NarrowScope, AnyCoverage>>> = coverage[table];
  return ['all', ...narrowScopes.filter((scope) => isCovered(of[scope], row, endpoint))];
}

const scopesOfRows: ReadonlyMap<Endpoint, readonly AccessScope[]> = new Map(
  (Object.keys(apiTables) as (keyof Tables)[]).flatMap((table) =>
    Object.entries(apiTables[table] as Readonly<Record<string, Endpoint>>).map(
      ([row, endpoint]) => [endpoint, scopesIn(table, row, endpoint)] as const,
    ),
  ),
);

/** Scopes that cover an endpoint: none for public endpoints and endpoints that require a session. */
export const scopesOf = (endpoint: Endpoint): readonly AccessScope[] => scopesOfRows.get(endpoint) ?? [];

/**
 * Endpoints that return token keys and redemption codes. For access tokens with a narrower scope than `all`, these
 * fields are empty.
 */
export const endpointsWithKeys: ReadonlySet<Endpoint> = new Set<Endpoint>([
  tokenApi.list,
  tokenApi.search,
  tokenApi.get,
  organizationTokenApi.get,
  redemptionApi.list,
  redemptionApi.search,
  redemptionApi.get,
]);
